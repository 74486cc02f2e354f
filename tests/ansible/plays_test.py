"""That each play says how long it takes: what does not would be left out of every run by a part's time."""
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]

import plays  # noqa: E402 (the path has to be set first)


class Times(unittest.TestCase):
    def test_of_every_play(self):
        self.assertEqual(sorted(plays.tests()), sorted(name for name, _, _ in plays.times()))
