"""What the table of the guides' procedures is judged by."""
import pathlib
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS))

from support.program import program  # noqa: E402 (the path has to be set first)

RUN = TESTS / "guides/run"
guides = program(RUN)

KNOWN = {"vm/nm-child", "cli/nfs.x"}


def row(covered, note=""):
    return {"text": "rhel9", "chapter": "1", "step": "reboot", "covered": covered, "note": note}


class Complaints(unittest.TestCase):
    def of(self, *words, ran=None, complete=False):
        return guides.complaints(row(*words), KNOWN, ran or {}, "head", complete)

    def test_a_test_that_is_there_is_enough(self):
        self.assertEqual([], self.of("vm/nm-child cli/nfs.x"))

    def test_a_test_that_is_not_there_is_named(self):
        self.assertIn("vm/gone", self.of("vm/nm-child vm/gone")[0])

    def test_no_test_needs_a_reason(self):
        self.assertTrue(self.of("-", "because"))
        self.assertEqual([], self.of("-", "open: nobody does it"))

    def test_a_failure_at_this_commit_counts(self):
        self.assertTrue(self.of("vm/nm-child", ran={"vm/nm-child": (False, "head")}))
        self.assertEqual([], self.of("vm/nm-child", ran={"vm/nm-child": (False, "before")}))

    def test_a_complete_run_wants_every_scenario(self):
        self.assertTrue(self.of("vm/nm-child", complete=True))
        self.assertTrue(self.of("vm/nm-child", ran={"vm/nm-child": (False, "before")}, complete=True))
        self.assertEqual([], self.of("vm/nm-child", ran={"vm/nm-child": (True, "before")}, complete=True))

    def test_another_test_has_its_stages_result(self):
        self.assertTrue(self.of("cli/nfs.x", ran={"stage/cli": (False, "head")}))
        self.assertTrue(self.of("cli/nfs.x", complete=True))
        self.assertEqual([], self.of("cli/nfs.x", ran={"stage/cli": (True, "before")}, complete=True))


class Table(unittest.TestCase):
    def test_each_step_has_its_columns(self):
        rows = guides.rows_of((RUN.parent / "procedures.tsv").read_text())
        self.assertEqual({"rhel9", "rhel8-ja", "rhel8-zh", "rhel7", "debian"}, {one["text"] for one in rows})
        self.assertFalse([one for one in rows if not (one["chapter"] and one["step"] and one["covered"])])
