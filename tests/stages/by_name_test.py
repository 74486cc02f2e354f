"""What is noted of what runs by name."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

import by_name  # noqa: E402 (the path has to be set first)

PROJECT = """cmake_minimum_required(VERSION 3.20)
project(small NONE)
file(GLOB sources CONFIGURE_DEPENDS source*)
add_custom_command(OUTPUT agent/cli/rdmastate COMMAND ${CMAKE_COMMAND} -E cat ${sources} > agent/cli/rdmastate DEPENDS ${sources})
add_custom_target(program ALL DEPENDS agent/cli/rdmastate)
install(PROGRAMS ${CMAKE_BINARY_DIR}/agent/cli/rdmastate DESTINATION bin)
install(FILES unit DESTINATION lib)
"""


def quietly(*words, **more):
    subprocess.run([str(word) for word in words], check=True, capture_output=True, **more)


class WhyNot(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in (("CMakeLists.txt", PROJECT), ("source", "1"), ("unit", "1")):
            (self.root / name).write_text(text)
        self.build, self.tree = self.root / "build/release", self.root / "build/install"
        quietly("cmake", "-G", "Ninja", "-S", self.root, "-B", self.build, "-DCMAKE_INSTALL_PREFIX=/usr")
        self.make()
        self.install()

    def make(self):
        quietly("cmake", "--build", self.build)

    def install(self):
        shutil.rmtree(self.tree, ignore_errors=True)
        quietly("cmake", "--install", self.build, env={"DESTDIR": str(self.tree), "PATH": "/usr/bin:/bin"})

    def why(self, **more):
        named = {"RDMASTATE_BIN": str(self.build / "agent/cli/rdmastate"), "RDMASTATE_INSTALL": str(self.tree)}
        return by_name.why_not({**named, **more}, self.root)

    def test_what_the_build_made_counts(self):
        self.assertEqual("", self.why())

    def test_tests_run_notes_by_itself(self):
        self.assertIn("tests/run", self.why(RDMASTATE_NOTED="1"))

    def test_another_binary_does_not_count(self):
        self.assertIn("RDMASTATE_BIN", self.why(RDMASTATE_BIN="/usr/bin/env"))
        self.assertIn("RDMASTATE_BIN", self.why(RDMASTATE_BIN=""))

    def test_an_older_build_does_not_count(self):
        (self.root / "source").write_text("2")
        self.assertIn("older", self.why())
        self.make()
        self.assertIn("RDMASTATE_INSTALL", self.why())
        self.install()
        self.assertEqual("", self.why())

    def test_a_new_source_is_newer(self):
        (self.root / "source2").write_text("2")
        self.assertIn("older", self.why())

    def test_an_older_tree_does_not_count(self):
        (self.root / "unit").write_text("2")
        self.assertIn("RDMASTATE_INSTALL", self.why())
        self.assertIn("RDMASTATE_INSTALL", self.why(RDMASTATE_INSTALL=""))

    def test_tests_for_the_guest_are_the_builds(self):
        for folder, text in ((self.tree / by_name.TESTS_OF_GUEST, "1"), (self.build / "tests/contract", "2")):
            folder.mkdir(parents=True)
            (folder / "contract_live").write_text(text)
        self.assertIn("RDMASTATE_INSTALL", self.why())
        (self.build / "tests/contract/contract_live").write_text("1")
        self.assertEqual("", self.why())


class Noted(unittest.TestCase):
    def test_the_commits_results_have_it(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            git = "git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com"
            quietly("git", "init", "-q", root)
            quietly(*git, "commit", "-q", "--allow-empty", "-m", "one")
            results = by_name.results(root / ".git", {}, root)
            results.note("vm/a", True, 1)
            self.assertEqual({"vm/a"}, results.passed())
            self.assertEqual(40, len(results.commit))
            (root / "changed").write_text("1")
            self.assertEqual(49, len(by_name.results(root / ".git", {}, root).commit), "a commit's results are of the commit alone")
