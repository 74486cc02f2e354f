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


HEADER = "#pragma once\nstruct One {{ int number = {}; }};\n"


class CompilerCache(unittest.TestCase):
    def test_a_header_is_never_the_one_that_was_made_over_the_same_old_one(self):
        """Each builds over the one before: the third is made over what the second was made over too."""
        with tempfile.TemporaryDirectory() as directory:
            place, env = pathlib.Path(directory), {**os.environ, "CCACHE_DIR": f"{directory}/kept", "CXX": "g++"}
            env.pop("CCACHE_DISABLE", None)
            (place / "CMakeLists.txt").write_text(PROJECT)
            for number in (1, 2, 1, 3):
                (place / "one.hpp").write_text(HEADER.format(number))
                (place / "one.cpp").write_text(f'#include "one.hpp"\nstatic_assert(One().number == {number});\n')
                done = subprocess.run(["sh", "-c", "cmake -S . -B build -G Ninja && cmake --build build"], cwd=place, env=env, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
