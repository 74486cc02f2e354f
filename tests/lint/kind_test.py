"""A new kind of resource is its own file and one line in resources/registry.cpp: a copy of agent/ gets one, and both compile.

python3 -m unittest discover -s tests/lint -p '*_test.py'
"""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from clone import Clone  # noqa: E402 (the path has to be set first)

REGISTRY = "resources/registry.cpp"
LINE = "  KIND(hugepages) \\\n"
FILES = {
    "hugepages.hpp": """// SPDX-License-Identifier: Apache-2.0
// Kind `hugepages`: how many huge pages the kernel keeps. Key: the size of a page.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct HugepagesState {
  std::string count;
  bool operator==(const HugepagesState&) const = default;
};

template <>
struct Fields<HugepagesState> {
  static constexpr std::string_view name = "hugepages";
  static constexpr std::string_view doc = "Huge pages.";
  static constexpr auto table = Table{Field{"count", &HugepagesState::count, "How many.", {.required = true}}};
};

extern const Kind hugepages_kind;

}  // namespace rdmastate
""",
    "hugepages.cpp": """// SPDX-License-Identifier: Apache-2.0
#include "resources/hugepages.hpp"

namespace rdmastate {
namespace {

Observation observe(const Snapshot&, const std::string&) { return Absent{}; }

Gap gap(const Scene&, const std::string&, const State* wanted, const Observation&) {
  Gap gap;
  if (wanted != nullptr) gap.move = Gap::Move{std::nullopt, *wanted};
  return gap;
}

std::vector<Ref> needs(const std::string&, const State*) { return {}; }

void move(Tools&, const std::string&, const State*, const State*) {}

std::string title(const std::string& key, const State*) { return "huge pages of " + key; }

}  // namespace

constinit const Kind hugepages_kind = [] {
  Kind kind = kind_of<HugepagesState>("hugepages");
  kind.observe = observe;
  kind.gap = gap;
  kind.needs = needs;
  kind.move = move;
  kind.title = title;
  return kind;
}();

}  // namespace rdmastate
""",
}


class NewKind(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.clone = Clone(directory.name)

    def test_is_its_file_and_one_line(self):
        self.clone.add_files("resources", FILES)
        self.clone.add_line(REGISTRY, LINE, "  KIND(file)")
        made = self.clone.headers()
        for source in ("resources/hugepages.cpp", REGISTRY):
            self.assertEqual("", self.clone.compile(source, made), source)
        self.assertEqual({f"agent/{REGISTRY}", *(f"agent/resources/{name}" for name in FILES)}, self.clone.touched())
        self.assertEqual(1, (self.clone.root / "agent" / REGISTRY).read_text().count("hugepages"))


if __name__ == "__main__":
    unittest.main()
