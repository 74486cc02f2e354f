#!/usr/bin/python3
"""Every header of agent compiles by itself: with the flags of its room in build/asan, and no other header of ours before it."""
import json
import re
import shlex
import sys

import inputs
from sources import ROOT, output_of, report, sources

BUILD = ROOT / "build/asan"
PRECOMPILED = re.compile(r"(?:-Winvalid-pch |-include-pch \S+ |-Xclang -include(?:-pch)? -Xclang \S+ )")


def flags_of_rooms():
    """By directory, the words of a source's command; of its precompiled headers only those that are not ours are kept."""
    known = {}
    for unit in json.loads((BUILD / "compile_commands.json").read_text()):
        words = PRECOMPILED.sub("", unit["command"]).split(" -o ")[0]
        known.setdefault(unit["file"].rsplit("/", 1)[0], shlex.split(words))
    return known


def main():
    flags, plain = flags_of_rooms(), BUILD / "agent/CMakeFiles/rdmastate_pch.dir/cmake_pch.hxx.pch"

    def judge(header):
        room = next(str(folder) for folder in header.parents if str(folder) in flags)
        code, text = output_of(*flags[room], "-include-pch", plain, "-fsyntax-only", "-include", header, "-x", "c++", "/dev/null")
        return (text or str(header)) if code else ""

    def depends_on(header):
        room = next(str(folder) for folder in header.parents if str(folder) in flags)
        return inputs.of(header, [*flags[room], str(plain)], "headers", inputs.tools("clang++"))

    headers = [path for path in sources(".hpp", below=("agent",)) if not path.name.startswith("pch")]
    return report(judge, headers, depends_on)


if __name__ == "__main__":
    sys.exit(main())
