"""A new section is one folder and one line in sections/list.hpp, and the newest one is no more: a copy of agent/ gets one or loses
one, CMake writes its list of headers, and what is made of the list compiles. A lint names what is forgotten.

python3 -m unittest discover -s tests/lint -p '*_test.py'
"""
import concurrent.futures
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from clone import Clone  # noqa: E402 (the path has to be set first)

LIST = "sections/list.hpp"
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
USERS = ["sections/spec.cpp", "sections/section.cpp"]
# The section that was added last, and its type in Spec. (An archive of the project has no git to ask.)
NEWEST = ("permissions", "PermissionsSection")


def add_section(clone, line=True):
    clone.add_files("sections/hugepages", FOLDER)
    if line:
        clone.add_line(LIST, LINE, "  SECTION(modules,")


class Lists(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.clone = Clone(directory.name)

    def assert_compile(self, sources):
        made = self.clone.headers()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for source, said in zip(sources, pool.map(lambda one: self.clone.compile(one, made), sources)):
                self.assertEqual("", said, source)
        return made


class NewSection(Lists):
    def test_is_one_folder_and_one_line(self):
        add_section(self.clone)
        made = self.assert_compile(["sections/hugepages/hugepages.cpp", *USERS])
        self.assertIn('#include "sections/hugepages/spec.hpp"', (made / "sections/folders.hpp").read_text())
        self.assertEqual({f"agent/{LIST}", *(f"agent/sections/hugepages/{name}" for name in FOLDER)}, self.clone.touched())
        self.assertEqual(1, (self.clone.root / "agent" / LIST).read_text().count("hugepages"))

    def test_is_missed_where_readers_look_for_it(self):
        add_section(self.clone)
        self.assertEqual(["README.md: the table of sections and sections/list.hpp disagree on hugepages",
                          "agent/README.md: the sentence `Sections:` does not name hugepages"], self.clone.breaches())

    def test_needs_packages_or_says_that_it_needs_none(self):
        add_section(self.clone)
        (self.clone.root / "agent/sections/hugepages/README.md").unlink()
        self.assertIn("no package is for hugepages", " ".join(self.clone.breaches()))

    def test_folder_without_a_line_is_named(self):
        add_section(self.clone, line=False)
        self.assertEqual(["agent/sections/hugepages: this folder has a spec.hpp, and sections/list.hpp has no such section"],
                         self.clone.breaches())

    def test_object_stands_in_the_file_of_its_name(self):
        add_section(self.clone)
        source = self.clone.root / "agent/sections/hugepages/hugepages.cpp"
        source.rename(source.with_name("other.cpp"))
        source.write_text("// Nothing.\n")
        self.assertIn("const Section hugepages_section is not defined here", " ".join(self.clone.breaches()))


class NewestSection(Lists):
    """Where its folder and its line are gone, nothing of it is left, and the rest compiles."""

    def test_is_one_folder_and_one_line(self):
        name, type_ = NEWEST
        shutil.rmtree(self.clone.root / "agent/sections" / name)
        self.clone.take_line(LIST, f"SECTION({name},")
        self.assert_compile(USERS)
        self.assertEqual({f"agent/{LIST}"}, self.clone.touched())
        left = re.compile(rf"sections/{name}/|\b{type_}\b|\bspec\.{name}\b|\b{name}_section\b")
        for path in (self.clone.root / "agent").rglob("*.[ch]pp"):
            self.assertIsNone(left.search(path.read_text()), path)


if __name__ == "__main__":
    unittest.main()
