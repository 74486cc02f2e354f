// SPDX-License-Identifier: Apache-2.0
// YAML nodes: places, scalars, refusals.
#include <gtest/gtest.h>

#include "yaml/load.hpp"

namespace rdmastate::yaml {
namespace {

struct At {
  std::uint32_t line, column, width;
  bool operator==(const At&) const = default;
};

std::ostream& operator<<(std::ostream& out, const At& at) {
  return out << at.line << ':' << at.column << '+' << at.width;
}

At at(const Place& place) { return {place.line, place.column, place.width}; }

const char* const text =
    "version: 1\n"
    "ipoib:\n"
    "  - name: \"mlx4\\x5fib0\"\n"
    "    ipv4:\n"
    "      addresses: [192.0.2.1/24, 'x']\n"
    "  - name: é ü\n"
    "    options: {a.b: 1}\n";

TEST(Node, KnowsWhereItStands) {
  Report report;
  const auto document = load("s", text, report);
  ASSERT_TRUE(document.has_value());
  const auto place = [&](std::string_view path) { return at(place_of(document->root, path)); };
  EXPECT_EQ(place(""), (At{1, 1, 7}));
  EXPECT_EQ(place("version"), (At{1, 10, 1}));
  EXPECT_EQ(place("ipoib"), (At{2, 1, 5}));
  EXPECT_EQ(place("ipoib[0]"), (At{3, 5, 4}));
  EXPECT_EQ(place("ipoib[0].name"), (At{3, 11, 13}));
  EXPECT_EQ(place("ipoib[0].ipv4"), (At{4, 5, 4}));
  EXPECT_EQ(place("ipoib[0].ipv4.addresses"), (At{5, 18, 1}));
  EXPECT_EQ(place("ipoib[0].ipv4.addresses[1]"), (At{5, 33, 3}));
  EXPECT_EQ(place("ipoib[1].name"), (At{6, 11, 3}));
  EXPECT_EQ(place("ipoib[1].options[\"a.b\"]"), (At{7, 20, 1}));
}

TEST(Node, TheDeepestThatThereIs) {
  Report report;
  const auto document = load("s", text, report);
  const auto place = [&](std::string_view path) { return at(place_of(document->root, path)); };
  EXPECT_EQ(place("ipoib[0].ipv4.gateway"), (At{4, 5, 4}));
  EXPECT_EQ(place("ipoib[0].ipv4.addresses[9]"), (At{5, 18, 1}));
  EXPECT_EQ(place("ipoib[7].name"), (At{2, 1, 5}));
  EXPECT_EQ(place("nfs.server"), (At{1, 1, 7}));
  EXPECT_EQ(place("version.x"), (At{1, 10, 1}));
  EXPECT_EQ(place("ipoib[x"), (At{2, 1, 5}));
}

TEST(Node, TextsAsYamlMeansThem) {
  Report report;
  const auto document =
      load("s", "a: \"x\\ny\"\nb: 'it''s'\nc: one\n  two\nd: |\n  block\ne: >-\n  folded\n  text\nf: \"\"\n", report);
  ASSERT_TRUE(document.has_value());
  const auto value = [&](std::string_view key) { return document->root.value(key)->as_scalar(); };
  EXPECT_EQ(value("a").text, "x\ny");
  EXPECT_EQ(value("b").text, "it's");
  EXPECT_EQ(value("c").text, "one two");
  EXPECT_TRUE(value("c").plain);
  EXPECT_EQ(value("d").text, "block\n");
  EXPECT_FALSE(value("d").plain);
  EXPECT_EQ(value("e").text, "folded text");
  EXPECT_EQ(value("f").text, "");
  EXPECT_FALSE(document->root.value("f")->is_null());
}

TEST(Node, SurvivesTheMoveOfItsDocument) {
  Report report;
  auto document = load("s", "a: b\n", report);
  const Document moved = std::move(*document);
  document.reset();
  EXPECT_EQ(moved.root.value("a")->as_scalar().text, "b");
  EXPECT_EQ(moved.root.value("x"), nullptr);
}

TEST(Node, IsSmall) { EXPECT_EQ(sizeof(Node), 32U); }

}  // namespace
}  // namespace rdmastate::yaml
