# SPDX-License-Identifier: Apache-2.0
"""How a class of tries finds its calls, counts, and reports a failure with its seed and number."""
import collections
import pathlib
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / room) for room in ("", "cli", "crash"))]

import attempts  # noqa: E402 (the path has to be set first)
import breaker  # noqa: E402
import scenes  # noqa: E402
from support import harness  # noqa: E402


def module(attempt, **more):
    return types.SimpleNamespace(TRIES=8, attempt=attempt, **more)


class Tries(unittest.TestCase):
    def test_a_failure_is_told_with_its_number(self):
        def attempt(one):
            one.counts["looked at"] += 1
            assert one.number != 5, "five"
        counts, failures = attempts.run(module(attempt), "x", 1, range(8))
        self.assertEqual(8, counts["looked at"])
        self.assertEqual([5], [number for number, _ in failures])
        self.assertTrue(failures[0][1].startswith("five"))

    def test_a_broken_try_is_a_failed_one(self):
        _, failures = attempts.run(module(lambda one: one.nothing), "x", 1, range(2))
        self.assertEqual(2, len(failures))

    def test_a_try_follows_from_seed_and_number(self):
        def drawn(seed, number):
            return attempts.Try("x", seed, number, None, "/nowhere").random.random()
        self.assertEqual(drawn(1, 7), drawn(1, 7))
        self.assertEqual(3, len({drawn(1, 7), drawn(2, 7), drawn(1, 8)}))

    def test_what_is_made_first_reaches_every_try(self):
        _, failures = attempts.run(module(lambda one: self.assertEqual("made", one.made), prepare=lambda room: "made"), "x", 1, range(3))
        self.assertEqual([], failures)


class Speech(unittest.TestCase):
    def ended(self, code, out="", err=""):
        one = attempts.Try("x", 1, 1, None, "/nowhere")
        return one.speaks_plainly(harness.Done(["rdmastate"], code, out, err))

    def test_success_needs_no_word(self):
        self.assertEqual(0, self.ended(0).code)

    def test_what_is_wrong(self):
        for code, err in ((139, "x"), (-11, "x"), (8, "x"), (1, ""), (1, "rdmastate: internal error: y"), (0, "internal error")):
            with self.assertRaises(AssertionError):
                self.ended(code, err=err)


class Points(unittest.TestCase):
    CALLS = {"write": (3, 5), "fsync": (1, 1)}

    def test_each_call_behind_the_loader_is_as_likely(self):
        import random
        drawn = collections.Counter(breaker.point(random.Random(n), self.CALLS) for n in range(800))
        self.assertEqual({"write:3", "write:4", "write:5", "fsync:1"}, set(drawn))
        self.assertGreater(min(drawn.values()), 120)

    def test_calls_before_our_own_are_left_out(self):
        class Box:
            dir = pathlib.Path(tempfile.mkdtemp())

            def run(self, *words, under=()):
                (self.dir / "calls").write_text("read\nread\nopenat\nopenat2\nread\nwrite\nopenat2\n")
        self.assertEqual({"read": (3, 3), "write": (1, 1)}, breaker.calls_of(Box(), ("read", "write", "openat"), "apply"))


class Judged(unittest.TestCase):
    def test_one_changed_mode_is_neither_state(self):
        with tempfile.TemporaryDirectory() as room:
            path = pathlib.Path(room) / "etc"
            path.mkdir()
            (path / "a").write_text("x")
            import fixture
            scene = types.SimpleNamespace(name="s", old=fixture.state(room), new={})
            self.assertEqual("old", scenes.judged(scene, room, ("old", "new")))
            (path / "a").chmod(0o600)
            with self.assertRaisesRegex(AssertionError, "etc/a is"):
                scenes.judged(scene, room, ("old", "new"))
            (path / "a").chmod(0o644)
            (path / ".a.rdmastate-1").write_text("")
            with self.assertRaisesRegex(AssertionError, "too many"):
                scenes.judged(scene, room, ("old", "new"))


if __name__ == "__main__":
    unittest.main()
