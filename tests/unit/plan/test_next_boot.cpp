// SPDX-License-Identifier: Apache-2.0
// The third column: what the twins say today about the next boot.
#include "base/error.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/module.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

constexpr const char* boot_file = "/etc/rdmastate/boot.json";

const Item& item_of(const Plan& plan, const Kind& kind, const std::string& key) {
  const auto found = std::find_if(plan.items.begin(), plan.items.end(),
                                  [&](const Item& item) { return item.kind == &kind && item.key == key; });
  if (found == plan.items.end()) throw Error("no item for " + key);
  return *found;
}

HostModel applied_host() {
  RecordedHost host(loaded_model());
  EXPECT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  return host.model();
}

void replace(std::string& text, const std::string& old, const std::string& by) {
  const auto at = text.find(old);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, old.size(), by);
}

TEST(NextBoot, IsAsSpecAfterAnApplyAndAbsentBefore) {
  RecordedHost fresh(loaded_model());
  EXPECT_EQ(item_of(plan_spec(fresh, spec_two), ipoib_link_kind, child_key).next_boot, NextBoot::absent);
  RecordedHost host(applied_host());
  const Plan plan = plan_spec(host, spec_two);
  for (const auto& item : plan.items)
    EXPECT_EQ(item.next_boot, item.kind->durable ? NextBoot::itself : NextBoot::as_spec) << item.key;
}

TEST(NextBoot, DiffersEntryByEntry) {
  HostModel model = applied_host();
  replace(model.files.at(boot_file).bytes, "\"mtu\":65520", "\"mtu\":2044");
  RecordedHost host(model);
  const Plan plan = plan_spec(host, spec_two);
  EXPECT_EQ(item_of(plan, ipoib_link_kind, port_key).next_boot, NextBoot::differs);
  EXPECT_EQ(item_of(plan, ipoib_link_kind, child_key).next_boot, NextBoot::as_spec) << "only one entry was changed";
}

TEST(NextBoot, OfAModuleIsItsLine) {
  HostModel model = applied_host();
  replace(model.files.at("/etc/modules-load.d/rdmastate.conf").bytes, "ib_umad\n", "");
  RecordedHost host(model);
  const Plan plan = plan_spec(host, spec_two);
  EXPECT_EQ(item_of(plan, module_kind, "ib_umad").next_boot, NextBoot::absent);
  EXPECT_EQ(item_of(plan, module_kind, "ib_ipoib").next_boot, NextBoot::as_spec);
}

TEST(NextBoot, OfANameIsTheUdevRule) {
  HostModel model = applied_host();
  model.files.erase("/etc/udev/rules.d/70-rdmastate-ipoib.rules");
  RecordedHost host(model);
  const Item item = item_of(plan_spec(host, spec_two), ipoib_link_kind, port_key);
  EXPECT_EQ(item.next_boot, NextBoot::absent);
  EXPECT_EQ(item_of(plan_spec(host, spec_two), ipoib_link_kind, child_key).next_boot, NextBoot::as_spec);
}

}  // namespace
}  // namespace rdmastate
