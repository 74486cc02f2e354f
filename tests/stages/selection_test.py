"""What runs when not everything does: parts, the cut to a time, seeds, results that an interrupted run goes on from."""
import pathlib
import subprocess
import tempfile
import unittest

import catalogue
import items
import main
import objects
import seed
from results import Follower, Results, table
from runner import Runner, Stage
from selection import Cut, Item, length, parts

MANY = [Item(f"vm/s{n}", 10 + n * 7 % 90) for n in range(60)]


class Parts(unittest.TestCase):
    def test_each_item_is_in_one(self):
        self.assertEqual(sorted(one.name for one in MANY), sorted(one.name for part in parts(MANY, 7) for one in part))

    def test_they_are_of_one_length(self):
        sums = list(map(length, parts(MANY, 7)))
        self.assertLess(max(sums) - min(sums), 100)

    def test_always_the_same(self):
        def names(lists):
            return [[one.name for one in part] for part in lists]
        self.assertEqual(names(parts(MANY, 5)), names(parts(list(reversed(MANY)), 5)))


class Cuts(unittest.TestCase):
    def cut(self, number=3, budget=300):
        return Cut([Item("vm/first", 100, always=True), Item("vm/slow", 20, deep=True), Item("vm/huge", 500), *MANY], budget, number)

    def test_what_always_runs_does(self):
        for number in range(20):
            self.assertIn("first", self.cut(number).names())

    def test_it_keeps_to_the_time(self):
        for number in range(40):
            self.assertLessEqual(length(self.cut(number).chosen), 300)

    def test_no_time_is_left_that_another_would_fit_into(self):
        cut = self.cut()
        self.assertFalse([one.name for one in cut.later if one.seconds <= 300 - length(cut.chosen)])

    def test_all_are_seen_in_time(self):
        seen = {name for number in range(self.cut().count) for name in self.cut(number).names()}
        self.assertEqual({"first", *(one.short for one in MANY)}, seen)

    def test_what_is_left_out_is_named(self):
        cut, told = self.cut(), " ".join(self.cut().reasons())
        for item in cut.later + cut.deep:
            self.assertIn(item.short, told)
        self.assertEqual(["huge", "slow"], sorted(one.short for one in cut.deep))
        self.assertEqual(len(MANY) + 3, len(cut.chosen + cut.later + cut.deep))

    def test_nothing_is_told_where_all_fits(self):
        self.assertEqual([], Cut(MANY[:3], 1000, 5).reasons())

    def test_the_same_for_a_commit(self):
        self.assertEqual(self.cut(8).names(), self.cut(8).names())


class Everything(unittest.TestCase):
    def test_what_always_runs_leaves_room_for_a_part(self):
        always = length([item for item in items.scenarios() if item.always])
        self.assertLess(always, catalogue.VM_SECONDS * 0.8)

    def test_the_default_run_leaves_no_scenario_to_deep_but_those_that_ask_for_it(self):
        cut = Cut(items.scenarios(), catalogue.VM_SECONDS, 1)
        self.assertEqual(sorted(item.name for item in items.scenarios() if item.deep), sorted(item.name for item in cut.deep))

    def test_the_default_run_takes_some_of_each_release_whose_guest_is_kept(self):
        self.assertEqual([], items.elsewhere(1, is_kept=lambda debian: False))
        release = items.scenario.elsewhere()[0].release
        those = [f"vm/{one.name}" for one in items.scenario.elsewhere() if one.release == release]
        rounds = [[item.name for item in items.elsewhere(number, is_kept=lambda debian: debian.suite == release)] for number in range(len(those))]
        self.assertEqual({min(items.EACH_RELEASE, len(those))}, set(map(len, rounds)))
        self.assertEqual(set(those), {name for names in rounds for name in names})

    def test_every_item_has_its_stage(self):
        for item in items.everything():
            stages = catalogue.deep_stages([item])
            last = [stage for stage in stages if stage.kind == item.kind or catalogue.item_of(stage) == item.name]
            self.assertTrue(last, item.name)
            self.assertFalse([stage.name for stage in last if stage.less])
            self.assertNotEqual([], [stage for stage in stages if stage.kind != item.kind or item.short in stage.command])

    def test_every_stage_is_an_item_or_needed_by_one(self):
        commit = seed.Commit(catalogue.ROOT)
        known = {stage.name for stage in catalogue.deep_stages(items.everything())} | {"bench"}
        self.assertEqual(set(), {stage.name for stage in catalogue.full_stages(commit)} - known)

    def test_builds_come_first_and_the_machines_before_what_runs_beside_them(self):
        names = [stage.name for stage in catalogue.full_stages(seed.Commit(catalogue.ROOT))]
        self.assertEqual(catalogue.FIRST, names[:len(catalogue.FIRST)])
        self.assertEqual(["asan-guest", "coverage", "fuzz", "mutants", "bench", "guides"], names[-6:])

    def test_a_part_takes_an_hour(self):
        with self.assertRaises(SystemExit) as ended:
            main.deep_part(1, 1)
        least = int(str(ended.exception).rsplit(" ", 1)[1])
        self.assertTrue(main.deep_part(least, least))

    def test_parts_are_read(self):
        self.assertEqual((2, 8), main.part_of("2/8"))
        for wrong in ("0/8", "9/8", "8", "a/b", "1/"):
            with self.assertRaises(main.argparse.ArgumentTypeError):
                main.part_of(wrong)


class Seeds(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.place = pathlib.Path(room.name)

    def commit(self, text):
        (self.place / "file").write_text(text)
        who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
        for words in (["init", "-q"], ["add", "file"], [*who, "commit", "-q", "-m", text]):
            subprocess.run(["git", "-C", self.place, *words], check=True, capture_output=True)
        return seed.Commit(self.place)

    def test_of_the_commit(self):
        commit = self.commit("one")
        self.assertEqual(int(commit.head[:8], 16), seed.chosen({}, commit, False)[0])
        self.assertNotEqual(commit.number(), self.commit("two").number())

    def test_what_is_not_committed_has_results_of_its_own(self):
        commit = self.commit("one")
        self.assertEqual(commit.head, commit.name)
        (self.place / "file").write_text("changed")
        changed = seed.Commit(self.place)
        (self.place / "new").write_text("new")
        names = {commit.name, changed.name, seed.Commit(self.place).name}
        (self.place / "new").write_text("newer")
        self.assertEqual(4, len(names | {seed.Commit(self.place).name}))
        self.assertEqual(commit.number(), changed.number())

    def test_without_git_a_fixed_one(self):
        number, origin = seed.chosen({}, seed.Commit(self.place), False)
        self.assertEqual(seed.WITHOUT_GIT, number)
        self.assertIn("no commit", origin)

    def test_anew(self):
        commit = self.commit("one")
        self.assertEqual(10, len({seed.chosen({}, commit, True)[0] for _ in range(10)}))
        self.assertEqual(7, seed.chosen({"RDMASTATE_SEED": "7"}, commit, True)[0])

    def test_everybody_gets_it(self):
        environment = {}
        seed.put(environment, 5)
        self.assertEqual({"RDMASTATE_SEED": "5"}, environment)


class Resuming(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.place = pathlib.Path(room.name)
        self.results = Results(self.place, "c0ffee", "deep 1/2", 7)

    def test_what_failed_is_not_passed_and_the_last_word_counts(self):
        self.results.note("vm/a", True, 1)
        self.results.note("vm/b", False, 2)
        self.assertEqual({"vm/a"}, Results(self.place, "c0ffee").passed())
        self.results.note("vm/b", True, 2)
        self.results.note("vm/a", False, 1)
        self.assertEqual({"vm/b"}, self.results.passed())
        self.assertEqual(set(), Results(self.place, "decaf").passed())

    def test_lines_are_noted_as_they_come(self):
        """Also those of a run that is ended in its middle."""
        command = "echo ok a 1.5; echo 'FAIL b 2.0: why'; printf 'ok half 3'; sleep 60"
        follower = Follower(self.results)

        def look_and_end(stage, log):
            follower.look(stage, log)
            if "half" in log.read_text():
                stage.limit = 0

        Runner([Stage("vm", "", command, kind="vm")], self.place / "log", lambda result: None, look_and_end).run()
        self.assertEqual({"vm/a": True, "vm/b": False}, {name: line["passed"] for name, line in self.results.last().items()})

    def test_other_stages_lines_are_not(self):
        Runner([Stage("x", "", "echo ok a 1.5")], self.place / "log", lambda result: None, Follower(self.results).look).run()
        self.assertEqual({}, self.results.last())

    def test_the_table(self):
        self.results.expect([Item("vm/a", 1), Item("vm/b", 1), Item("crash/tree", 1)])
        self.results.note("vm/a", True, 60)
        self.results.note("vm/b", False, 40)
        text = "\n".join(table(self.results))
        self.assertRegex(text, r"vm +2 +1 +1 +0 +100  deep 1/2")
        self.assertRegex(text, r"everything +3 +1 +1 +1 ")
        self.assertIn("failed: vm/b", text)
        self.assertIn("missing: crash/tree", text)

    def test_a_whole_stage_is_one_item(self):
        self.assertEqual("stage/tidy", catalogue.item_of(Stage("tidy", "", "", counts=True)))
        for name in items.BENCH_SECONDS:
            self.assertEqual(f"bench/{name}", catalogue.item_of(catalogue.bench_deep(name)))
        self.assertIn("tests/ansible/bench.py", catalogue.bench_deep("ansible").command)
        self.assertEqual(len(items.BENCH_SECONDS), len({catalogue.bench_deep(name).command for name in items.BENCH_SECONDS}))
        self.assertIsNone(catalogue.item_of(Stage("tidy", "", "", less=["half"])))
        self.assertIsNone(catalogue.item_of(Stage("release-build", "", "", check=False)))


class Told(unittest.TestCase):
    def test_what_a_stage_leaves_out_is_in_its_log(self):
        with tempfile.TemporaryDirectory() as place:
            Runner([Stage("one", "", "echo more", less=["two by name"])], pathlib.Path(place), lambda result: None, head="seed: 5").run()
            self.assertEqual("seed: 5\nleft out: two by name\nmore\n", pathlib.Path(place, "one.log").read_text())

    def test_objects(self):
        text = "# a.cpp\ndirect_cache_hit\nlocal_storage_hit\n# b.cpp\ncache_miss\ndirect_cache_miss\n# c.cpp\npreprocessed_cache_hit\n"
        self.assertEqual("kept: 2 of 3 objects compiled before, the same inputs", objects.told(text))
        self.assertEqual("", objects.told(""))


if __name__ == "__main__":
    unittest.main()
