#!/usr/bin/python3
"""clang-tidy over agent/*.cpp with build/asan's commands: tidy.py [FILE...]. What it passed once, with the same text,
headers and checks, it passes again unread."""
import pathlib
import re
import shlex
import sys
import tempfile

import inputs
from sources import ROOT, output_of, report, sources
from support import kept

SOURCE, CHECKS = ROOT / "tests/lint/narrow.cpp", (ROOT / ".clang-tidy").read_text()


def build_narrow(directory):
    """clang-tidy's plugin by which checks see only declarations of files below agent/ (narrow.cpp), with LLVM's own flags."""
    flags = shlex.split(output_of("llvm-config", "--cxxflags")[1])
    code, text = output_of("clang++", *flags, "-shared", "-fPIC", SOURCE, "-o", directory / "narrow.so")
    if code:
        sys.exit(f"tidy: {SOURCE.name} does not compile\n{text}")


def find_probe(narrow):
    """Ends if a mistake of a source or a header goes unseen: a scope too narrow would pass everything."""
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as place:
        room = pathlib.Path(place, "agent")  # the plugin looks at no other folder
        room.mkdir()
        (room / "probe.hpp").write_text("#pragma once\ninline bool same(int n) { return n == n; }\n")
        (room / "probe.cpp").write_text('#include "probe.hpp"\nbool probe(int n) { return same(n) || n == n; }\n')
        text = output_of("clang-tidy", "--load", narrow, "--quiet", room / "probe.cpp", "--", "-std=c++20")[1]
    if any(f"{name}: error" not in re.sub(r":\d+:\d+", "", text) for name in ("probe.hpp", "probe.cpp")):
        sys.exit(f"tidy: mistakes made on purpose were not found\n{text}")


def main(named):
    tools = inputs.tools("clang-tidy", "clang++")
    narrow = kept.folder("tidy", kept.digest(SOURCE, tools), build_narrow) / "narrow.so"
    find_probe(narrow)
    commands = inputs.commands("asan")

    def judge(path):
        code, text = output_of("nice", "clang-tidy", "--load", narrow, "-p", "build/asan", "--quiet", path)
        told = [line for line in text.splitlines() if not re.match(r"\d+ warnings? ", line)]
        return "\n".join(told or [str(path)]) if code else ""

    def depends_on(path):
        return inputs.of(path, commands.get(str(path), []), "tidy", CHECKS, SOURCE.read_text(), tools)

    return report(judge, named or sources(".cpp", below=("agent",)), depends_on)


if __name__ == "__main__":
    sys.exit(main([pathlib.Path(name).resolve() for name in sys.argv[1:]]))
