// SPDX-License-Identifier: Apache-2.0
// Merging included specs.
#include <gtest/gtest.h>

#include "support/property.hpp"
#include "told.hpp"
#include "yaml/merge.hpp"
#include "yaml/writer.hpp"

namespace rdmastate::test {
namespace {

// Two documents and what they mean together, all kept.
struct Merged {
  Merged(std::string low_text, std::string high_text) {
    low = yaml::load("low.yaml", std::move(low_text), report);
    high = yaml::load("high.yaml", std::move(high_text), report);
    if (!low || !high) return;
    sample::Spec scratch;
    root = yaml::laid_over(low->root, high->root, record_of<sample::Spec>(), &scratch, *high->store, report);
    yaml::read(root, spec, "", report);
    report.sort();
  }
  std::string said() const { return render(report, false); }

  Report report;
  std::optional<yaml::Document> low;
  std::optional<yaml::Document> high;
  yaml::Node root;
  sample::Spec spec;
};

std::string merged(const std::string& low, const std::string& high) {
  const Merged both("version: 1\n" + low, "version: 1\n" + high);
  EXPECT_EQ(both.said(), "");
  std::string text = yaml::to_yaml_of(both.spec);
  return text.substr(text.find('\n') + 1);
}

TEST(Merge, RecordsOfOneNameBecomeOne) {
  EXPECT_EQ(merged("ipoib:\n  - {name: a, mode: connected, mtu: 65520}\n  - {name: b, mtu: 2044}\n",
                   "ipoib:\n  - {name: c}\n  - {name: a, mode: datagram, mtu: 2044}\n"),
            merged("id: x\n",
                   "id: x\nipoib:\n  - {name: a, mode: datagram, mtu: 2044}\n  - {name: b, mtu: 2044}\n  - {name: c}\n")
                .substr(std::string("id: x\n").size()));
}

TEST(Merge, AListOfValuesReplacesAndAnEmptyOneIsNone) {
  const std::string low =
      "ipoib:\n  - {name: a, ipv4: {addresses: [192.0.2.1/24], routes: [{to: 203.0.113.0/24, metric: 1}]}}\n";
  const Merged other("version: 1\n" + low, "version: 1\nipoib: [{name: a, ipv4: {addresses: [192.0.2.9/24]}}]\n");
  ASSERT_EQ(other.spec.ipoib.size(), 1U);
  ASSERT_EQ(other.spec.ipoib[0].ipv4->addresses->size(), 1U);
  EXPECT_EQ(to_text(other.spec.ipoib[0].ipv4->addresses->front()), "192.0.2.9/24");
  EXPECT_EQ(other.spec.ipoib[0].ipv4->routes->size(), 1U);
  const Merged none("version: 1\n" + low, "version: 1\nipoib: [{name: a, ipv4: {routes: []}}]\n");
  EXPECT_EQ(none.spec.ipoib[0].ipv4->routes->size(), 0U);
  EXPECT_EQ(Merged("version: 1\n" + low, "version: 1\nipoib: []\n").spec.ipoib.size(), 0U);
}

TEST(Merge, IdentitiesTellRecordsWithoutANameApart) {
  const Merged both(
      "version: 1\nipoib: [{name: a, ipv4: {routes: [{to: 203.0.113.0/24, metric: 1}, {to: 198.51.100.0/24}]}}]\n",
      "version: 1\nipoib: [{name: a, ipv4: {routes: [{to: 203.0.113.0/24, metric: 7}]}}]\n");
  const auto& routes = *both.spec.ipoib[0].ipv4->routes;
  ASSERT_EQ(routes.size(), 2U) << both.said();
  EXPECT_EQ(routes[0].metric, 7U);
}

TEST(Merge, MapsByTheirKeysHoweverTheyAreWritten) {
  const Merged both("version: 1\noptions: {ib-ipoib: {a: 1, b: 2}}\nports: {1: {addresses: [192.0.2.1/24]}}\n",
                    "version: 1\noptions: {ib_ipoib: {b: 3}, other: {c: 4}}\nports: {2: {}}\n");
  EXPECT_EQ(both.said(), "");
  EXPECT_EQ(both.spec.options->size(), 2U);
  EXPECT_EQ(both.spec.options->at(ModuleName{"ib_ipoib"}).size(), 2U);
  EXPECT_EQ(both.spec.ports->size(), 2U);
}

TEST(Merge, PlacesAreTheWinningFiles) {
  const Merged both("version: 1\nipoib:\n  - name: a\n    mtu: 1\n",
                    "version: 1\n\n\nipoib:\n  - name: a\n    mode: datagram\n");
  EXPECT_EQ(yaml::place_of(both.root, "ipoib[0].mtu").source, 0U);
  EXPECT_EQ(yaml::place_of(both.root, "ipoib[0].mode").source, 1U);
  EXPECT_EQ(yaml::place_of(both.root, "ipoib[0].mode").line, 6U);
  EXPECT_EQ(yaml::place_of(both.root, "ipoib[0].ipv4").source, 1U) << "what lacks it is shown where it was named last";
}

TEST(Merge, WhatLosesIsStillJudged) {
  const std::string said = Merged("version: 1\nipoib: [{name: a, mtu: big, oops: 1}]\nodd: 1\n",
                                  "version: 1\nipoib: [{name: a, mtu: 2044}]\nodd: 2\n")
                               .said();
  for (const char* part :
       {"low.yaml:2:24: error: ipoib[0].mtu", "low.yaml:2:29: error: ipoib[0]: unknown key 'oops'",
        "low.yaml:3:1: error: unknown key 'odd'", "high.yaml:3:1: error: unknown key 'odd'", "4 errors"})
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
}

TEST(Merge, NothingUndoesAValue) {
  const std::string said = Merged("version: 1\nid: a\n", "version: 1\nid: null\n").said();
  EXPECT_NE(said.find("high.yaml:2:5: error: id: null is no value"), std::string::npos) << said;
}

TEST(Merge, WhichIsMeantHasToBeClear) {
  const Merged several("version: 1\nipoib: [{name: a}, {name: a}]\n", "version: 1\nipoib: [{name: a}]\n");
  EXPECT_NE(several.said().find("it is not clear which included record name a means: several included records have it"),
            std::string::npos)
      << several.said();
  const Merged twice("version: 1\nipoib: [{name: a}]\n", "version: 1\nipoib: [{name: a}, {name: a}]\n");
  EXPECT_NE(twice.said().find("a record above means the included one already"), std::string::npos) << twice.said();
}

TEST(Merge, ShapesThatDoNotFitAreToldOnce) {
  const std::string said = Merged("version: 1\nipoib: {name: a}\n", "version: 1\nipoib: [{name: a}]\n").said();
  EXPECT_NE(said.find("low.yaml:2:8: error: ipoib: expected a list, got a map"), std::string::npos) << said;
  EXPECT_NE(said.find("1 error\n"), std::string::npos) << said;
}

// A document over itself, and over nothing, is itself.
TEST(Merge, NothingIsLostOrAdded) {
  for_all("a document over itself, and over nothing, is itself", [](Case& drawn) {
    std::string text = "version: 1\nipoib:\n";
    const int count = drawn.number(1, 20);
    for (int i = 0; i < count; ++i) {
      text += "  - {name: i" + std::to_string(i) + ", mtu: " + std::to_string(drawn.number(72, 65520));
      text += drawn.flip() ? ", mode: connected}\n" : "}\n";
    }
    const Merged twice(text, text);
    const Merged once("version: 1\n", text);
    const Merged under(text, "version: 1\n");
    must(twice.said().empty(), "nothing is said of " + text + twice.said());
    must(yaml::to_yaml_of(twice.spec) == yaml::to_yaml_of(once.spec), "over itself it is itself: " + text);
    must(yaml::to_yaml_of(under.spec) == yaml::to_yaml_of(once.spec), "under nothing it is itself: " + text);
  });
}

}  // namespace
}  // namespace rdmastate::test
