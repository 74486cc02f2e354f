#!/usr/bin/python3
"""clang-tidy over agent/*.cpp with build/asan's commands: tidy.py [FILE...]. What it passed once, with the same text,
headers and checks, it passes again unread (build/tidy)."""
import hashlib
import pathlib
import re
import shlex
import sys

from sources import ROOT, output_of, report, sources

PASSED = ROOT / "build/tidy"
NARROW, SOURCE = PASSED / "narrow.so", ROOT / "tests/lint/narrow.cpp"
BASE = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + SOURCE.read_bytes() +
                      output_of("clang-tidy", "--version")[1].encode()).hexdigest()


def build_narrow():
    """clang-tidy's plugin, with the flags that LLVM was built with."""
    PASSED.mkdir(parents=True, exist_ok=True)
    flags = shlex.split(output_of("llvm-config", "--cxxflags")[1])
    code, text = output_of("clang++", *flags, "-shared", "-fPIC", SOURCE, "-o", NARROW)
    if code:
        sys.exit(f"tidy: {SOURCE.name} does not compile\n{text}")


def find_probe():
    """Ends if a mistake of a source or a header goes unseen: a scope too narrow would pass everything."""
    room = PASSED / "agent"
    room.mkdir(exist_ok=True)
    (room / "probe.hpp").write_text("#pragma once\ninline bool same(int n) { return n == n; }\n")
    (room / "probe.cpp").write_text('#include "probe.hpp"\nbool probe(int n) { return same(n) || n == n; }\n')
    text = output_of("clang-tidy", "--load", NARROW, "--quiet", room / "probe.cpp", "--", "-std=c++20")[1]
    if any(f"{name}: error" not in re.sub(r":\d+:\d+", "", text) for name in ("probe.hpp", "probe.cpp")):
        sys.exit(f"tidy: mistakes made on purpose were not found\n{text}")


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
    code, text = output_of("nice", "clang-tidy", "--load", NARROW, "-p", "build/asan", "--quiet", path)
    if code:
        return "\n".join(line for line in text.splitlines() if not re.match(r"\d+ warnings? ", line))
    stamp.touch()
    return ""


if __name__ == "__main__":
    build_narrow()
    find_probe()
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    sys.exit(report(judge, named or sources(".cpp", below=("agent",))))
