"""Which of the files that llvm-cov names are ours, and how their lines are summed."""
import unittest

import coverage


def report(*files):
    return {"data": [{"files": [{"filename": str(name), "summary": {"lines": {"count": count, "covered": ran}}} for name, count, ran in files]}]}


class Counting(unittest.TestCase):
    def names(self, *files):
        return [str(path) for path in coverage.counts_of(report(*((name, 2, 1) for name in files)))]

    def test_named_from_the_root(self):
        self.assertEqual(["base/error.cpp"], self.names(coverage.AGENT / "base/error.cpp"))

    def test_named_from_the_folder_of_the_build(self):
        self.assertEqual(["base/error.cpp"], self.names("../../agent/base/error.cpp"))

    def test_what_is_not_ours_counts_for_nothing(self):
        self.assertEqual([], self.names("/usr/include/agent/error.hpp", "../../tests/agent/error.cpp", "agent/base/embedded.cpp"))

    def test_rooms_are_summed(self):
        counts = coverage.counts_of(report(("../../agent/base/error.cpp", 10, 8), (coverage.AGENT / "base/ini.cpp", 5, 5),
                                           ("../../agent/plan/plan.cpp", 3, 0)))
        self.assertEqual({"base": (15, 13), "plan": (3, 0)}, coverage.by_room(counts))


if __name__ == "__main__":
    unittest.main()
