"""A new section is one folder and one line in sections/list.hpp: a copy of agent/ gets one, CMake writes its list of headers, and
what is made of the list compiles. A lint names what is forgotten.

python3 -m unittest discover -s tests/lint -p '*_test.py'
"""
import concurrent.futures
import filecmp
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import rooms  # noqa: E402 (the path has to be set first)

ROOT = rooms.ROOT
LIST = "agent/sections/list.hpp"
LINE = '  SECTION(hugepages, std::optional<HugepagesSection>, "Huge pages.") \\\n'
FOLDER = {
    "spec.hpp": """// SPDX-License-Identifier: Apache-2.0
// Section `hugepages`: how many huge pages this host keeps.
#pragma once

#include "base/fields.hpp"

namespace rdmastate {

struct HugepagesSection {
  std::optional<std::string> size;
};

template <>
struct Fields<HugepagesSection> {
  static constexpr std::string_view name = "hugepages";
  static constexpr std::string_view doc = "Huge pages.";
  static constexpr auto table = Table{Field{"size", &HugepagesSection::size, "The size of a page.", {.example = "2M"}}};
};

}  // namespace rdmastate
""",
    "hugepages.cpp": """// SPDX-License-Identifier: Apache-2.0
// The section hugepages.
#include "sections/hugepages/spec.hpp"

#include "sections/section.hpp"

namespace rdmastate {
namespace {

void check(const Spec& spec, Report& report) {
  if (spec.hugepages && spec.hugepages->size == "") complain(report, "hugepages.size", "a size is empty");
}

void expand_hugepages(const Spec&, const Facts&, Backend, Desired&, Report&) {}

void adopt_hugepages(const Adoption&, Adopted&) {}

}  // namespace

constinit const Section hugepages_section{"hugepages", check, expand_hugepages, adopt_hugepages};

}  // namespace rdmastate
""",
    "README.md": "# hugepages: how many huge pages this host keeps\n\nPackages: none.\n",
}
# What is made of the list: the type Spec, its tables and the array of sections.
USERS = ["sections/hugepages/hugepages.cpp", "sections/spec.cpp", "sections/section.cpp"]
# Runs sections/CMakeLists.txt alone: the room itself needs every library.
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(list LANGUAGES NONE)
function(room)
endfunction()
function(target_include_directories)
endfunction()
add_subdirectory(agent/sections)
"""


class Clone:
    """A copy of agent/ and README.md in a directory of its own."""

    def __init__(self, directory):
        self.root = pathlib.Path(directory) / "clone"
        shutil.copytree(ROOT / "agent", self.root / "agent")
        shutil.copy(ROOT / "README.md", self.root)

    def add_folder(self):
        folder = self.root / "agent/sections/hugepages"
        folder.mkdir()
        for name, text in FOLDER.items():
            (folder / name).write_text(text)

    def add_line(self):
        path = self.root / LIST
        head, before, after = path.read_text().partition("  SECTION(modules,")
        assert before, f"{LIST} does not begin with modules"
        path.write_text(head + LINE + before + after)

    def breaches(self):
        """What tests/lint/rooms.py says of the lists of this copy."""
        now = rooms.ROOT, rooms.AGENT
        rooms.ROOT, rooms.AGENT = self.root, self.root / "agent"
        try:
            return [f"{file}: {sentence}" for of in (rooms.of_lists, rooms.of_sections) for file, sentence in of()]
        finally:
            rooms.ROOT, rooms.AGENT = now

    def touched(self):
        """Every path that is not as in the checkout."""
        here = {path.relative_to(self.root).as_posix() for path in (self.root / "agent").rglob("*") if path.is_file()}
        return {name for name in here if not (ROOT / name).exists() or not filecmp.cmp(ROOT / name, self.root / name, shallow=False)}

    def headers(self):
        """Runs CMake as far as sections/folders.hpp; the directory that holds it."""
        project, build = self.root / "CMakeLists.txt", self.root.parent / "build"
        project.write_text(PROJECT)
        done = subprocess.run(["cmake", "-S", self.root, "-B", build], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return build / "agent/sections"

    def compile(self, source, made):
        """What gcc says of a source: nothing."""
        flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
        command = ["g++", *flags, f"-I{self.root}/agent", f"-I{made}", str(self.root / "agent" / source)]
        return subprocess.run(command, capture_output=True, text=True).stderr


class NewSection(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.clone = Clone(directory.name)

    def test_is_one_folder_and_one_line(self):
        self.clone.add_folder()
        self.clone.add_line()
        made = self.clone.headers()
        self.assertIn('#include "sections/hugepages/spec.hpp"', (made / "sections/folders.hpp").read_text())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for source, said in zip(USERS, pool.map(lambda one: self.clone.compile(one, made), USERS)):
                self.assertEqual("", said, source)
        self.assertEqual({LIST, *(f"agent/sections/hugepages/{name}" for name in FOLDER)}, self.clone.touched())
        self.assertEqual(1, (self.clone.root / LIST).read_text().count("hugepages"))

    def test_is_missed_where_readers_look_for_it(self):
        self.clone.add_folder()
        self.clone.add_line()
        self.assertEqual(["README.md: the table of sections and sections/list.hpp disagree on hugepages",
                          "agent/README.md: the sentence `Sections:` does not name hugepages"], self.clone.breaches())

    def test_needs_packages_or_says_that_it_needs_none(self):
        self.clone.add_folder()
        self.clone.add_line()
        (self.clone.root / "agent/sections/hugepages/README.md").unlink()
        self.assertIn("no package is for hugepages", " ".join(self.clone.breaches()))

    def test_folder_without_a_line_is_named(self):
        self.clone.add_folder()
        self.assertEqual(["agent/sections/hugepages: this folder has a spec.hpp, and sections/list.hpp has no such section"],
                         self.clone.breaches())

    def test_object_stands_in_the_file_of_its_name(self):
        self.clone.add_folder()
        self.clone.add_line()
        source = self.clone.root / "agent/sections/hugepages/hugepages.cpp"
        source.rename(source.with_name("other.cpp"))
        source.write_text("// Nothing.\n")
        self.assertIn("const Section hugepages_section is not defined here", " ".join(self.clone.breaches()))


if __name__ == "__main__":
    unittest.main()
