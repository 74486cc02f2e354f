"""That each play says how long it takes. A play is a function test_* of plays/case_*.py: one test of the collection.

`tests/run` chooses from plays.times() what fits into its time, so a play that is not there would never be chosen."""
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]

import plays  # noqa: E402 (the path has to be set first)


class Times(unittest.TestCase):
    def test_of_every_play(self):
        timed = sorted(name for name, _seconds, _always in plays.times())
        self.assertEqual(sorted(plays.tests()), timed)
