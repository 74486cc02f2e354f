#!/usr/bin/python3
"""Every header of agent compiles by itself: with the flags of its room in build/asan, and no header of ours before it but what it
includes itself.

The models that many include are compiled once for all of these. A header that includes such a model has it before its own first
line then, which changes nothing: its code stands behind its includes, and each of those is judged by itself."""
import functools
import json
import pathlib
import re
import shlex
import sys
import tempfile
import threading

import inputs
from sources import ROOT, output_of, report, sources

AGENT, BUILD = ROOT / "agent", ROOT / "build/asan"
PLAIN = BUILD / "agent/CMakeFiles/rdmastate_pch.dir/cmake_pch.hxx.pch"
CODE_ALONE = r"(?:-Xclang -f(?:profile|coverage)|-fsanitize-ignorelist=)\S+ "
PRECOMPILED = re.compile(rf"(?:-Winvalid-pch |-include-pch \S+ |-Xclang -include(?:-pch)? -Xclang \S+ |{CODE_ALONE})")
COMMENT, DIRECTIVE = re.compile(r"//[^\n]*|/\*.*?\*/", re.S), re.compile(r"^[ \t]*#.*$", re.M)


def flags_of_rooms():
    """By directory, the words of a source's command; of its precompiled headers only those that are not ours are kept."""
    known = {}
    for unit in json.loads((BUILD / "compile_commands.json").read_text()):
        words = PRECOMPILED.sub("", unit["command"]).split(" -o ")[0]
        known.setdefault(unit["file"].rsplit("/", 1)[0], shlex.split(words))
    return known


def includes_first(text):
    """Whether no code stands before the last #include of a header."""
    before = re.split(r"^[ \t]*#[ \t]*include\b", COMMENT.sub("", text), flags=re.M)[:-1]
    return not "".join(DIRECTIVE.sub("", re.sub(r'^[ \t]*[<"].*', "", part)) for part in before).strip()


class Models:
    """Headers of ours that others have from a precompiled header: those that the sources have so."""

    def __init__(self, flags_of, directory):
        self.flags_of, self.directory, self.lock = flags_of, directory, threading.Lock()
        named = {AGENT / name for path in AGENT.glob("pch*.hpp") for name in inputs.INCLUDE.findall(path.read_text())}
        self.all = sorted((path for path in named if not path.name.startswith("pch")), key=lambda path: len(self.of(path)))

    def of(self, header):
        """The header and ours that it includes."""
        return inputs.closure(header, inputs.folders(self.flags_of(header))) or {}

    def before(self, header):
        """The precompiled header that holds most of what this one includes: without any of ours where it includes no model."""
        mine = self.of(header) if includes_first(header.read_text()) else {}
        with self.lock:
            return self._compiled(next((model for model in reversed(self.all) if model in mine and model != header), None))

    @functools.cache  # noqa: B019 (there is one for the whole run)
    def _compiled(self, model):
        """On top of the model that this one includes. What does not compile is judged as a header: others have less then."""
        if model is None:
            return PLAIN
        mine = self.of(model)
        below = self._compiled(next((one for one in reversed(self.all) if one in mine and one != model), None))
        made = self.directory / f"{model.stem}.pch"
        words = ["-include-pch", below, "-include", model, "-x", "c++-header", "/dev/null", "-Xclang", "-emit-pch", "-o", made]
        return below if output_of(*self.flags_of(model), *words)[0] else made


def judged(header, models):
    """What is wrong with it."""
    words = ["-include-pch", models.before(header), "-fsyntax-only", "-include", header, "-x", "c++", "/dev/null"]
    code, text = output_of(*models.flags_of(header), *words)
    return (text or str(header)) if code else ""


def main():
    flags = flags_of_rooms()

    def flags_of(header):
        return flags[next(str(folder) for folder in header.parents if str(folder) in flags)]

    def depends_on(header):
        return inputs.of(header, [*flags_of(header), str(PLAIN)], "headers", inputs.tools("clang++"))

    headers = [path for path in sources(".hpp", below=("agent",)) if not path.name.startswith("pch")]
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as directory:
        models = Models(flags_of, pathlib.Path(directory))
        return report(lambda header: judged(header, models), headers, depends_on)


if __name__ == "__main__":
    sys.exit(main())
