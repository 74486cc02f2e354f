"""That python36.py finds what is too new, and lets pass what is not."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import python36  # noqa: E402 (the path has to be set first)

TOO_NEW = ("if (n := 1): pass", "def f(a, /): pass", "import dataclasses", "from importlib import metadata\nimport importlib.metadata",
           "import subprocess\nsubprocess.run(['x'], capture_output=True)", "'a'.removeprefix('b')", "from functools import cache",
           "import time\ntime.time_ns()", "print(f'{x=}')", "match x:\n    case 1: pass")
OLD_ENOUGH = ("print(f'{x}')", "import subprocess\nsubprocess.run(['x'], stdout=subprocess.PIPE)", "import time\ntime.time()", "async def f(): pass")


class Python36(unittest.TestCase):
    def test_what_is_too_new_is_found(self):
        for text in TOO_NEW:
            self.assertTrue(python36.faults_of("x.py", text), text)

    def test_what_it_had_passes(self):
        for text in OLD_ENOUGH:
            self.assertEqual([], python36.faults_of("x.py", text), text)


if __name__ == "__main__":
    unittest.main()
