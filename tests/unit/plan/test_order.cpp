// SPDX-License-Identifier: Apache-2.0
// The order of steps: removals first and backwards, what is needed before what needs it, what the next boot reads last.
#include <fmt/format.h>
#include "resources/file/file.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/module.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> all;
  for (const std::size_t step : plan.steps) {
    const Item& item = plan.items[step];
    all.push_back(fmt::format("{}{} {}", item.gap.move->to ? "+" : "-", item.kind->name, item.key));
  }
  return all;
}

std::size_t at(const std::vector<std::string>& all, const std::string& name) {
  const auto found = std::find(all.begin(), all.end(), name);
  EXPECT_NE(found, all.end()) << name << " is not among\n" << fmt::format("{}", fmt::join(all, "\n"));
  return static_cast<std::size_t>(found - all.begin());
}

TEST(Order, ParentsBeforeChildrenHoweverTheSpecIsWritten) {
  RecordedHost host(loaded_model());
  const auto all = names(plan_spec(host, spec_head + spec_child + spec_port));
  EXPECT_LT(at(all, "+ipoib_link " + port_key), at(all, "+ipoib_link " + child_key));
  EXPECT_LT(at(all, "+ipoib_link " + child_key), at(all, "+address " + child_key + " 198.51.100.33/28"));
  EXPECT_LT(at(all, "+address " + child_key + " 198.51.100.33/28"),
            at(all, "+route " + child_key + " to 203.0.113.0/28 metric 50"));
}

TEST(Order, RemovalsBeforeAllElseAndBackwards) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const std::string other = "  - parent: mlx4_ib0\n    pkey: 0x8003\n";
  const auto all = names(plan_spec(host, spec_one + other));
  const std::size_t gone = at(all, "-ipoib_link " + child_key);
  EXPECT_LT(at(all, "-route " + child_key + " to 203.0.113.0/28 metric 50"),
            at(all, "-address " + child_key + " 198.51.100.33/28"));
  EXPECT_LT(at(all, "-address " + child_key + " 198.51.100.33/28"), gone);
  EXPECT_LT(gone, at(all, "+ipoib_link " + port_key + " pkey 0x8003"));
}

TEST(Order, BootFileIsLastAndDirectoriesBeforeTheirFiles) {
  RecordedHost host(loaded_model());
  const auto all = names(plan_spec(host, spec_two));
  EXPECT_EQ(at(all, "+file /etc/rdmastate/boot.json"), all.size() - 1);
  EXPECT_LT(at(all, "+file /etc/rdmastate"), at(all, "+file /etc/rdmastate/boot.json"));
}

TEST(Order, DirectoriesGoAfterTheirFiles) {
  HostModel bare = loaded_model();
  std::erase_if(bare.files,
                [](const auto& file) { return file.first == "/etc/udev/rules.d" || file.first == "/etc/udev"; });
  RecordedHost host(bare);
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const auto all = names(plan_spec(host, "version: 1\n"));
  EXPECT_LT(at(all, "-file /etc/udev/rules.d/70-rdmastate-ipoib.rules"), at(all, "-file /etc/udev/rules.d"));
  EXPECT_LT(at(all, "-file /etc/udev/rules.d"), at(all, "-file /etc/udev"));
}

TEST(Order, ModulesBeforeTheInterfacesThatTheyBring) {
  RecordedHost host(guide_model());
  const Plan plan = plan_spec(host, spec_two);
  EXPECT_TRUE(plan.has_more_rounds());
  for (const std::size_t step : plan.steps) EXPECT_NE(plan.items[step].kind, &ipoib_link_kind);
  for (const auto& item : plan.items) {
    if (item.kind != &ipoib_link_kind) continue;
    EXPECT_EQ(item.gap.after, "module ib_ipoib") << item.key;
  }
}

}  // namespace
}  // namespace rdmastate
