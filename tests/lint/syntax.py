#!/usr/bin/python3
"""gcc -fsyntax-only -Werror over what only clang compiles otherwise (fuzzers), with the flags that clang's build gives."""
import pathlib
import sys

import inputs
from sources import ROOT, output_of, report

BUILD = ROOT / "build"


def main():
    release, asan = inputs.commands("release"), inputs.commands("asan")

    def words(path):
        """The include directories and definitions of clang's command; its precompiled header is not gcc's."""
        kept = [word for word in asan[path] if word.startswith(("-I", "-D", "-W", "-std="))]
        return kept + [word for i, name in enumerate(asan[path]) if name == "-isystem" for word in (name, asan[path][i + 1])]

    # -O1 as in clang's build, whose own -O is none of words().
    def judge(path):
        code, text = output_of("g++", "-fsyntax-only", "-Werror", "-O1", *words(path), path)
        return (text or path) if code else ""

    def depends_on(path):
        """The hash of all that the judgment depends on (inputs.of()): report() does not judge again what passed with it."""
        return inputs.of(pathlib.Path(path), words(path), "gcc -O1 -Werror", inputs.tools("g++"))

    only_clang = [path for path in sorted(asan) if path not in release and not path.startswith(str(BUILD)) and path.endswith(".cpp")]
    return report(judge, only_clang, depends_on)


if __name__ == "__main__":
    sys.exit(main())
