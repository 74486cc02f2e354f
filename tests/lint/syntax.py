#!/usr/bin/python3
"""gcc -fsyntax-only -Werror over what only clang compiles otherwise (fuzzers), with the flags that clang's build gives."""
import json
import shlex
import sys

from sources import ROOT, output_of, report

BUILD = ROOT / "build"


def commands(preset):
    return {entry["file"]: entry for entry in json.loads((BUILD / preset / "compile_commands.json").read_text())}


def judge(entry):
    """The include directories and definitions of clang's command; its precompiled header is not gcc's."""
    words = shlex.split(entry["command"])
    kept = [word for word in words if word.startswith(("-I", "-D", "-W", "-std="))]
    kept += [word for i, name in enumerate(words) if name == "-isystem" for word in (name, words[i + 1])]
    code, text = output_of("g++", "-fsyntax-only", "-Werror", "-O1", *kept, entry["file"])
    return text or entry["file"] if code else ""


if __name__ == "__main__":
    release, asan = commands("release"), commands("asan")
    only_clang = [entry for path, entry in sorted(asan.items()) if path not in release
                  and not path.startswith(str(BUILD)) and path.endswith(".cpp")]
    sys.exit(report(judge, only_clang))
