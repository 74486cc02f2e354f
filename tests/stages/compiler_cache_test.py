"""That what the compiler cache keeps of a precompiled header is of that very header."""
import os
import pathlib
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(cached LANGUAGES CXX)
include({TOP}/agent/compiler_cache.cmake)
add_library(cached STATIC one.cpp)
target_precompile_headers(cached PRIVATE one.hpp)
"""


def header(number, comment=""):
    return f"#pragma once\n// {comment}\nstruct One {{ int number = {number}; }};\n"


class CompilerCache(unittest.TestCase):
    def setUp(self):
        self.directory = self.enterContext(tempfile.TemporaryDirectory())
        self.env = {name: value for name, value in os.environ.items() if name != "CCACHE_DISABLE"} | {"CCACHE_DIR": f"{self.directory}/kept", "CXX": "g++"}

    def build(self, name, text, number):
        place = pathlib.Path(self.directory) / name
        place.mkdir(exist_ok=True)
        (place / "CMakeLists.txt").write_text(PROJECT)
        (place / "one.hpp").write_text(text)
        (place / "one.cpp").write_text(f'#include "one.hpp"\nstatic_assert(One().number == {number});\n')
        done = subprocess.run(["sh", "-c", "cmake -S . -B build -G Ninja && cmake --build build"], cwd=place, env=self.env, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])

    def test_a_header_is_never_the_one_that_was_made_over_the_same_old_one(self):
        """Each builds over the one before: the third is made over what the second was made over too."""
        for number in (1, 2, 1, 3):
            self.build("one", header(number), number)

    def test_a_header_with_another_comment_is_compiled_anew(self):
        """In another clone. What the preprocessor leaves of it is the same, and `#pragma once` goes by its bytes."""
        self.build("one", header(1, "the first"), 1)
        self.build("two", header(1, "another comment, which is longer"), 1)


if __name__ == "__main__":
    unittest.main()
