"""A copy of agent/ and README.md, to which tests of the lists add a section or a kind, and which they compile."""
import filecmp
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import rooms  # noqa: E402 (the path has to be set first)

ROOT = rooms.ROOT
# Runs sections/CMakeLists.txt alone: the room itself needs every library.
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(list LANGUAGES NONE)
function(room)
endfunction()
function(target_include_directories)
endfunction()
add_subdirectory(agent/sections)
"""


class Clone:
    """The copy, in a directory of its own."""

    def __init__(self, directory):
        self.root = pathlib.Path(directory) / "clone"
        shutil.copytree(ROOT / "agent", self.root / "agent")
        shutil.copy(ROOT / "README.md", self.root)

    def add_files(self, folder, files):
        """Writes `files` (name: text) to a folder below agent/."""
        path = self.root / "agent" / folder
        path.mkdir(exist_ok=True)
        for name, text in files.items():
            (path / name).write_text(text)

    def add_line(self, source, line, behind):
        """Puts `line` into a file below agent/, before the first text `behind`."""
        path = self.root / "agent" / source
        head, before, after = path.read_text().partition(behind)
        assert before, f"{source} has no {behind!r}"
        path.write_text(head + line + before + after)

    def take_line(self, source, begin):
        """Takes out the one line of a file below agent/ that begins so."""
        path = self.root / "agent" / source
        lines = path.read_text().splitlines(keepends=True)
        found = [line for line in lines if line.lstrip().startswith(begin)]
        assert len(found) == 1, f"{source} has {len(found)} lines {begin!r}"
        path.write_text("".join(line for line in lines if line is not found[0]))

    def breaches(self):
        """What tests/lint/rooms.py says of the lists of this copy."""
        now = rooms.ROOT, rooms.AGENT
        rooms.ROOT, rooms.AGENT = self.root, self.root / "agent"
        try:
            return [f"{file}: {sentence}" for of in (rooms.of_lists, rooms.of_sections) for file, sentence in of()]
        finally:
            rooms.ROOT, rooms.AGENT = now

    def touched(self):
        """Every path below agent/ that is not as in the checkout."""
        here = {path.relative_to(self.root).as_posix() for path in (self.root / "agent").rglob("*") if path.is_file()}
        return {name for name in here if not (ROOT / name).exists() or not filecmp.cmp(ROOT / name, self.root / name, shallow=False)}

    def headers(self):
        """Runs CMake as far as sections/folders.hpp; the directory that holds it."""
        project, build = self.root / "CMakeLists.txt", self.root.parent / "build"
        project.write_text(PROJECT)
        done = subprocess.run(["cmake", "-S", self.root, "-B", build], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return build / "agent/sections"

    def compile(self, source, made):
        """What gcc says of a source below agent/: nothing."""
        flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
        command = ["g++", *flags, f"-I{self.root}/agent", f"-I{made}", str(self.root / "agent" / source)]
        return subprocess.run(command, capture_output=True, text=True).stderr
