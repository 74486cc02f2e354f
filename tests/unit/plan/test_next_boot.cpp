// SPDX-License-Identifier: Apache-2.0
// The third column: what the twins say today about the next boot.
#include <fmt/format.h>

#include "base/error.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/module.hpp"
#include "resources/rdma_device/rdma_device.hpp"
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

// "name=as-spec mtu=differs": what the plan prints of an item's third column.
std::string columns_of(const Item& item) {
  std::string text;
  for (const auto& one : item.columns)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", one.field, to_text(one.next_boot));
  return text;
}

TEST(NextBoot, OfAnEntryIsFieldByField) {
  HostModel model = applied_host();
  replace(model.files.at(boot_file).bytes, "\"mtu\":65520", "\"mtu\":2044");
  RecordedHost wrong(model);
  EXPECT_EQ(columns_of(item_of(plan_spec(wrong, spec_two), ipoib_link_kind, port_key)), "mtu=differs");
  replace(model.files.at(boot_file).bytes, "\"mtu\":2044,", "");
  RecordedHost without(model);
  EXPECT_EQ(columns_of(item_of(plan_spec(without, spec_two), ipoib_link_kind, port_key)), "mtu=absent");
}

TEST(NextBoot, OfAnEntryThatSomebodyElseIsAwaitedForIsAbsent) {
  HostModel model = applied_host();
  replace(model.files.at(boot_file).bytes, "\"section\":\"ipoib\"",
          "\"section\":\"ipoib\",\"awaited_from\":\"NetworkManager\"");
  RecordedHost host(model);
  EXPECT_EQ(item_of(plan_spec(host, spec_two), ipoib_link_kind, port_key).next_boot, NextBoot::absent);
}

TEST(NextBoot, OfABootFileThatCannotBeReadIsNothing) {
  HostModel model = applied_host();
  replace(model.files.at(boot_file).bytes, "]}", "]");
  RecordedHost host(model);
  EXPECT_EQ(item_of(plan_spec(host, spec_two), ipoib_link_kind, port_key).next_boot, NextBoot::absent);
}

TEST(NextBoot, OfAModuleIsItsLine) {
  HostModel model = applied_host();
  replace(model.files.at("/etc/modules-load.d/rdmastate.conf").bytes, "ib_umad\n", "");
  RecordedHost host(model);
  const Plan plan = plan_spec(host, spec_two);
  EXPECT_EQ(item_of(plan, module_kind, "ib_umad").next_boot, NextBoot::absent);
  EXPECT_EQ(item_of(plan, module_kind, "ib_ipoib").next_boot, NextBoot::as_spec);
}

TEST(NextBoot, OfAModuleMayBeALastLineWithoutAnEnd) {
  HostModel model = applied_host();
  std::string& text = model.files.at("/etc/modules-load.d/rdmastate.conf").bytes;
  ASSERT_TRUE(text.ends_with("\n"));
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  text.pop_back();
  text.insert(0, "# by hand\n");
  RecordedHost host(model);
  EXPECT_EQ(item_of(plan_spec(host, spec_two), module_kind, last.substr(0, last.size() - 1)).next_boot,
            NextBoot::as_spec);
}

TEST(NextBoot, OfANameIsTheUdevRule) {
  HostModel model = applied_host();
  model.files.erase("/etc/udev/rules.d/70-rdmastate-ipoib.rules");
  RecordedHost host(model);
  const Item item = item_of(plan_spec(host, spec_two), ipoib_link_kind, port_key);
  EXPECT_EQ(item.next_boot, NextBoot::absent);
  EXPECT_EQ(item_of(plan_spec(host, spec_two), ipoib_link_kind, child_key).next_boot, NextBoot::as_spec);
}

// The port's name is in the file by now, whatever else comes into it.
TEST(NextBoot, OfANameIsItsOwnRuleAlone) {
  RecordedHost host(applied_host());
  const Plan plan =
      plan_spec(host, spec_two + "  - {name: storage, match: {port_guid: \"0002:c903:0031:78f1\"}, mode: datagram}\n");
  EXPECT_EQ(item_of(plan, ipoib_link_kind, port_key).next_boot, NextBoot::as_spec);
  EXPECT_EQ(columns_of(item_of(plan, ipoib_link_kind, "port 0002:c903:0031:78f1")),
            "name=absent mode=absent up=absent");
}

TEST(NextBoot, OfANameThatItsRuleGivesOtherwiseDiffers) {
  RecordedHost host(applied_host());
  std::string spec = spec_one;
  replace(spec, "mlx4_ib0", "storage");
  const Item item = item_of(plan_spec(host, spec), ipoib_link_kind, port_key);
  ASSERT_FALSE(item.columns.empty());
  EXPECT_EQ(item.columns[0].field, "name");
  EXPECT_EQ(item.columns[0].next_boot, NextBoot::differs);
}

TEST(NextBoot, OfADevicesNameIsItsOwnRuleAlone) {
  const std::string head = "version: 1\nnetwork: {backend: none}\ndevices:\n";
  const std::string first = "  - {match: {node_guid: \"f452:1403:007b:cba0\"}, name: store0}\n";
  const std::string second = "  - {match: {node_guid: \"0002:c903:0031:78f0\"}, name: store1}\n";
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, head + first).code, ExitCode::done);
  const Plan plan = plan_spec(host, head + first + second);
  EXPECT_EQ(item_of(plan, rdma_device_kind, "node_guid f452:1403:007b:cba0").next_boot, NextBoot::as_spec);
  EXPECT_EQ(columns_of(item_of(plan, rdma_device_kind, "node_guid 0002:c903:0031:78f0")), "name=absent");
}

// Its owner's files have the new name, and the interface gets it at the boot: nothing of them runs yet.
class NextBootOfARename : public testing::TestWithParam<const char*> {};

TEST_P(NextBootOfARename, IsWhatTheFilesSay) {
  const std::string spec = fmt::format("version: 1\nnetwork: {{backend: {}}}\nipoib:\n", GetParam()) +
                           "  - name: store0\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: datagram\n"
                           "    ipv4: {method: manual, addresses: [198.51.100.1/28]}\n";
  PlanOptions undisturbed;
  undisturbed.max_disruption = Disruption::none;
  RecordedHost host(model_run_by(GetParam()));
  const Host doors = host.host();
  LinkChange up;
  up.up = true;
  doors.links->change(*doors.links->find("ib2"), up);
  ASSERT_EQ(apply_spec(host, spec, undisturbed).code, ExitCode::done);
  const Plan plan = plan_spec(host, spec, undisturbed);
  EXPECT_TRUE(plan.is_empty());
  EXPECT_EQ(columns_of(item_of(plan, ipoib_link_kind, port_key)), "name=as-spec");
}

// The last apply wrote the same into boot.json.
class NextBootOfAnOwnersFile : public testing::TestWithParam<const char*> {
 protected:
  static std::string spec(const std::string& mtu) {
    return fmt::format("version: 1\nnetwork: {{backend: {}}}\nmodules: {{load: [ib_ipoib]}}\nipoib:\n", GetParam()) +
           "  - {name: mlx4_ib0, match: {port_guid: \"f452:1403:007b:cba1\"}, mode: datagram, mtu: " + mtu +
           ", ipv6: {method: link-local}}\n  - {parent: mlx4_ib0, pkey: 0x8002, mode: datagram, mtu: 2044}\n";
  }
  static HostModel applied() {
    RecordedHost host(model_run_by(GetParam()));
    EXPECT_EQ(apply_spec(host, spec("2044")).code, ExitCode::done);
    return host.model();
  }
  /// The owner's files of the port.
  static std::vector<std::string*> files(HostModel& model) {
    std::vector<std::string*> found;
    for (auto& [path, file] : model.files)
      if (path.find("rdmastate") != std::string::npos || path.find("system-connections/") != std::string::npos)
        if (path.starts_with("/etc/") && file.bytes.find("2044") != std::string::npos && !path.ends_with(".json"))
          found.push_back(&file.bytes);
    return found;
  }
};

TEST_P(NextBootOfAnOwnersFile, IsToldFieldByField) {
  RecordedHost host(applied());
  const Plan plan = plan_spec(host, spec("1500"));
  const std::string columns = columns_of(item_of(plan, ipoib_link_kind, port_key));
  EXPECT_NE(columns.find("mtu=differs"), std::string::npos) << columns;
  EXPECT_EQ(columns.find("mtu=differs"), columns.rfind("differs") - 4) << columns << ": the file says the rest";
  EXPECT_EQ(item_of(plan, ipoib_link_kind, child_key).next_boot, NextBoot::as_spec);
}

TEST_P(NextBootOfAnOwnersFile, IsNotToldOfOneThatWasEdited) {
  HostModel model = applied();
  ASSERT_FALSE(files(model).empty());
  for (std::string* bytes : files(model)) *bytes += "# by hand\n";
  RecordedHost host(model);
  const Item item = item_of(plan_spec(host, spec("1500")), ipoib_link_kind, port_key);
  for (const auto& one : item.columns)
    if (one.field != "name") {
      EXPECT_EQ(one.next_boot, NextBoot::differs) << one.field;
    }
  EXPECT_GT(item.columns.size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Owners, NextBootOfAnOwnersFile,
                         testing::Values("networkmanager", "networkd", "netplan", "ifupdown"),
                         [](const auto& one) { return std::string(one.param); });

INSTANTIATE_TEST_SUITE_P(Owners, NextBootOfARename, testing::Values("networkmanager", "networkd"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace rdmastate
