"""What a check of one file depends on: nothing that it reads may be missing from the hash, and no clone's place be in it."""
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "lint"))

import inputs
import sources


class Inputs(unittest.TestCase):
    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.root = pathlib.Path(room.name)
        self.addCleanup(unittest.mock.patch.stopall)
        unittest.mock.patch.object(inputs, "ROOT", self.root).start()
        for name, text in {"agent/a.cpp": '#include "base/b.hpp"\n#include <vector>\n', "agent/base/b.hpp": '#  include "c.hpp"\n',
                           "agent/base/c.hpp": "int c;\n", "agent/lost.cpp": '#include "nowhere.hpp"\n'}.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)

    def hash(self, name="agent/a.cpp", words=("-O1",), more=()):
        return inputs.of(self.root / name, ["g++", f"-I{self.root}/agent", *words], *more)

    def test_a_header_of_a_header_counts(self):
        before = self.hash()
        self.assertEqual(before, self.hash())
        (self.root / "agent/base/c.hpp").write_text("long c;\n")
        self.assertNotEqual(before, self.hash())

    def test_flags_and_checks_count(self):
        self.assertEqual(3, len({self.hash(), self.hash(words=["-O2"]), self.hash(more=["other checks"])}))

    def test_what_is_added_to_the_code_does_not(self):
        self.assertEqual(self.hash(), self.hash(words=["-O1", "-g1", "-fsanitize=address", "-Xclang", "-fprofile-instrument=clang"]))

    def test_a_comment_counts_only_where_a_check_reads_it(self):
        def hash_of(text):
            (self.root / "agent/base/c.hpp").write_text(text)
            return self.hash()
        self.assertEqual(1, len({hash_of("int c;\n"), hash_of("// Counts.\n\nint c;  // calls\n"), hash_of("int c;  ///< in ms\n")}))
        read = ["int c;  // NOLINT(misc-x)\n", "int c;  // fall through\n", "int c;  /* c */\n", "int c;  // goes on \\\n"]
        self.assertEqual(5, len({hash_of(text) for text in ["int c;\n", *read]}))
        self.assertEqual(2, len({hash_of(f'auto c = "//{name}";\n') for name in "ab"}))

    def test_precompiled_headers_count(self):
        together = self.root / "build/cmake_pch.hxx"
        together.parent.mkdir()
        together.write_text(f'#include "{self.root}/agent/base/c.hpp"\n')
        words = ["-include-pch", f"{together}.pch"]
        (self.root / "agent/a.cpp").write_text("int a;\n")
        before = self.hash(words=words)
        (self.root / "agent/base/c.hpp").write_text("long c;\n")
        self.assertNotEqual(before, self.hash(words=words))

    def test_what_is_not_found_is_never_kept(self):
        self.assertIsNone(self.hash("agent/lost.cpp"))

    def test_the_same_in_another_clone(self):
        here = self.hash()
        with tempfile.TemporaryDirectory() as other:
            there = pathlib.Path(other, "clone")
            self.root.rename(there)
            there, self.root = self.root, there
            with unittest.mock.patch.object(inputs, "ROOT", self.root):
                self.assertEqual(here, self.hash())
            self.root.rename(there)

    def test_a_failure_is_judged_again(self):
        asked = []

        def judge(path):
            asked.append(path)
            return "wrong"
        with tempfile.TemporaryDirectory() as place:
            passed = sources.Passed(pathlib.Path(place))
            remembered = sources.remembering(judge, lambda path: "key", passed)
            self.assertEqual(["wrong", "wrong"], [remembered("a"), remembered("a")])
            judge_well = sources.remembering(lambda path: asked.append(path) or "", lambda path: "key", passed)
            self.assertEqual(["", ""], [judge_well("a"), judge_well("a")])
        self.assertEqual(3, len(asked))


if __name__ == "__main__":
    unittest.main()
