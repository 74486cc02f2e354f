#!/usr/bin/python3
"""clang-tidy over agent/*.cpp with build/asan's commands: tidy.py [FILE...]. What it passed once, with the same text,
headers and checks, it passes again unread (build/tidy)."""
import hashlib
import pathlib
import re
import sys

from sources import ROOT, output_of, report, sources

PASSED = ROOT / "build/tidy"
BASE = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + output_of("clang-tidy", "--version")[1].encode()).hexdigest()


def closure(path, seen):
    """The file and our headers that it includes, directly or not."""
    if path in seen or not path.exists():
        return seen
    seen.add(path)
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.M):
        closure(ROOT / "agent" / name, seen)
    return seen


def judge(path):
    total = hashlib.sha256(BASE.encode())
    for part in sorted(closure(path, set())):
        total.update(part.read_bytes())
    stamp = PASSED / total.hexdigest()
    if stamp.exists():
        return ""
    code, text = output_of("nice", "clang-tidy", "-p", "build/asan", "--quiet", path)
    if code:
        return "\n".join(line for line in text.splitlines() if not re.match(r"\d+ warnings? ", line))
    stamp.touch()
    return ""


if __name__ == "__main__":
    PASSED.mkdir(parents=True, exist_ok=True)
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    sys.exit(report(judge, named or sources(".cpp", below=("agent",))))
