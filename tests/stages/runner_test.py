"""The runner's own traps: python3 -m unittest discover -s tests/stages -p '*_test.py'"""
import os
import pathlib
import tempfile
import unittest

from excerpt import excerpt, troubles
from runner import Runner, Stage
from told import crash_sum, told


def run(*stages):
    with tempfile.TemporaryDirectory() as directory:
        told = []
        results = Runner(stages, pathlib.Path(directory), told.append).run()
        assert len(told) == len(stages)
        return {one.stage.name: one for one in results}


class Processor(unittest.TestCase):
    def test_what_a_stage_waits_for_is_counted(self):
        """A busy child of its own counts, sleep does not: seconds alone say nothing on a shared machine."""
        results = run(Stage("busy", "", "(i=0; while ((i < 400000)); do i=$((i + 1)); done)"), Stage("waits", "", "sleep 1"))
        self.assertGreater(results["busy"].processor, max(0.02, results["waits"].processor))
        self.assertLess(results["waits"].processor, results["waits"].seconds / 2)
        self.assertGreater(results["waits"].seconds, 0.9)


class Telling(unittest.TestCase):
    LOG = ("ok one\n  crash (tree): 5 points, 0 lost, 4 ended old, 1 ended new\n"
           "crash (cuts): 3 points (a b), 0 lost, 2 ended old, 1 ended new\ncoverage: 95.1 % of 10 lines of agent\n3 passed, 0 failed\n")

    def test_counts_are_repeated_and_summed(self):
        lines = told(self.LOG)
        self.assertEqual(3, len(lines))
        self.assertEqual(["crash: 8 points, 0 lost, 6 ended old, 2 ended new"], crash_sum(lines))

    def test_of_which_stage(self):
        self.assertEqual(["tidy: kept: 3 of 4 files"], told("kept: 3 of 4 files\n", "tidy"))

    def test_nothing_is_made_up(self):
        self.assertEqual([], crash_sum(told("2 passed, 0 failed\n")))


class Counting(unittest.TestCase):
    def one(self, command, **options):
        result = run(Stage("one", "", command, **{"counts": True, **options}))["one"]
        return result.passed, result.failed, result.good

    def test_lines_are_summed(self):
        self.assertEqual((5, 0, True), self.one("echo 2 passed, 0 failed; echo '3 passed, 0 failed (0.6 s)'"))

    def test_unittest(self):
        self.assertEqual((7, 0, True), self.one("printf 'Ran 7 tests in 0.1s\\n\\nOK\\n'"))
        self.assertEqual((0, 1, False), self.one("printf 'Ran 7 tests in 0.1s\\n\\nOK (skipped=7)\\n'"))

    def test_no_test_is_a_failure(self):
        self.assertEqual((0, 1, False), self.one("true"))
        self.assertEqual((0, 1, False), self.one("echo 0 passed, 0 failed"))

    def test_failing_after_passing_is_a_failure(self):
        self.assertEqual((3, 1, False), self.one("echo 3 passed, 0 failed; exit 1"))

    def test_passing_with_failures_is_a_failure(self):
        self.assertEqual((3, 1, False), self.one("echo 3 passed, 1 failed"))

    def test_a_skipped_test_is_a_failure(self):
        self.assertEqual((9, 1, False), self.one("echo ' 4 - links.live (Skipped)'; echo '9 passed, 0 failed'"))

    def test_a_check_counts_one(self):
        self.assertEqual((1, 0, True), self.one("true", counts=False))
        self.assertEqual((0, 1, False), self.one("false", counts=False))
        self.assertEqual((0, 0, True), self.one("true", counts=False, check=False))
        self.assertEqual((0, 1, False), self.one("false | true", counts=False))

    def test_a_hang_ends(self):
        self.assertEqual((0, 1, False), self.one("sleep 60", limit=0.2))


class Needs(unittest.TestCase):
    def test_what_needs_a_failed_stage_fails_by_name(self):
        results = run(Stage("build", "", "false", check=False), Stage("tests", "", "echo 1 passed, 0 failed", ["build"], counts=True),
                      Stage("more", "", "true", ["tests"]), Stage("other", "", "true"))
        self.assertEqual([False, False, False, True], [one.good for one in results.values()])
        self.assertIn("build", results["tests"].reasons[0])
        self.assertEqual(1, results["more"].failed)

    def test_order_and_weight(self):
        with tempfile.TemporaryDirectory() as directory:
            log = pathlib.Path(directory, "log")
            whole = f"echo begin >> {log}; sleep 0.1; echo end >> {log}"
            run(Stage("a", "", whole, weight=99), Stage("b", "", whole, weight=99))
            self.assertEqual("begin end begin end".split(), log.read_text().split())

    def test_what_gives_way_runs_beside_all(self):
        with tempfile.TemporaryDirectory() as directory:
            log = pathlib.Path(directory, "log")
            run(Stage("a", "", f"echo a >> {log}; for n in $(seq 1000); do grep -q way {log} && exit; sleep 0.1; done; exit 1", weight=99),
                Stage("b", "", f"echo b >> {log}", weight=99), Stage("c", "", f"chrt -p $$ | grep -q SCHED_IDLE && echo way >> {log}", idle=True))
            *beside, last = log.read_text().split()
            self.assertEqual(({"a", "way"}, "b"), (set(beside), last))

    def test_who_stands_behind_whom(self):
        here = os.nice(0)
        results = run(Stage("a", "", f"[ $(nice) = {here} ]", ahead=True), Stage("b", "", f"[ $(nice) = {min(here + 5, 19)} ]"))
        self.assertEqual([True, True], [one.good for one in results.values()])

    def test_what_is_left_alone_gives_way_no_longer(self):
        with tempfile.TemporaryDirectory() as directory:
            seen = pathlib.Path(directory, "seen")
            results = run(Stage("a", "", f"for n in $(seq 1000); do [ -e {seen} ] && exit; sleep 0.1; done; exit 1"), Stage("b", "", (
                f"chrt -p $$ | grep -q SCHED_IDLE || exit 1; touch {seen}\n"
                "for n in $(seq 1000); do chrt -p $$ | grep -q SCHED_OTHER && exit; sleep 0.1; done; exit 1"), idle=True))
        self.assertEqual([True, True], [one.good for one in results.values()])


class Excerpt(unittest.TestCase):
    def test_a_failure_is_told_without_what_passed(self):
        lines = ["ok a 1.0", "FAIL b 2.0", "    why", "ok c 3.0", "1 passed, 1 failed"]
        self.assertEqual(["FAIL b 2.0", "    why", "1 passed, 1 failed"], excerpt(lines))

    def test_of_a_long_block_the_end(self):
        told = excerpt(["FAIL b", *(f"    {n}" for n in range(100)), "ok c"])
        self.assertEqual(["FAIL b", "    ...", "    80"], told[:3])
        self.assertEqual(["    99", "ok c"], told[-2:])

    def test_without_known_words_the_end(self):
        self.assertEqual(["99"], excerpt([str(n) for n in range(100)])[-1:])

    def test_of_the_last_words_each_trouble_once(self):
        self.assertEqual(["FAIL b", "FAILED: c"], troubles(["FAIL b", "    why", "ok a", "FAILED: c", "FAIL b", "2 failed"]))
        self.assertEqual(["2"], troubles(["1", "2"]))


if __name__ == "__main__":
    unittest.main()
