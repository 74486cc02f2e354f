"""That the module which ours is compared with is like ours, and that a ratio is judged."""
import ast
import contextlib
import io
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parents[1])]

import bench  # noqa: E402 (the path has to be set first)


class Bench(unittest.TestCase):
    def test_the_other_module_imports_and_takes_the_same(self):
        text = bench.OURS.read_text()
        other = bench.other_of(text)
        self.assertEqual(bench.needs_of(text), bench.needs_of(other))
        imported = {node.module for node in ast.parse(other).body if isinstance(node, ast.ImportFrom)}
        utils = "ansible_collections.rdmastate.core.plugins.module_utils"
        self.assertLessEqual({f"{utils}.agent", f"{utils}.result", f"{utils}.typed"}, imported)
        self.assertIn("restart=dict(type='list'", other)
        self.assertIn("argument_spec=ARGUMENTS", other)

    def test_the_ratio_is_that_of_pairs(self):
        """A machine that slows down during the rounds changes both of a pair."""
        ours, others = iter((1.1, 2.2, 30.0)), iter((1.0, 2.0, 10.0))
        self.assertEqual((1.1, 2.2, 2.0), tuple(round(one, 3) for one in bench.by_turns(3, lambda: next(ours), lambda: next(others))))

    def test_a_ratio_is_judged_with_the_margin(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            good = [bench.judge("task", ratio, 1.1) for ratio in (1.0, 1.4, 1.5)]
        self.assertEqual([True, True, False], good)
        self.assertIn("FAILED: task: 1.50, wanted 1.1, judged at 1.43", out.getvalue())


if __name__ == "__main__":
    unittest.main()
