// SPDX-License-Identifier: Apache-2.0
// Modules that stay away, and what the others run with.
#include <gtest/gtest.h>

#include "resources/file/file.hpp"
#include "resources/module_block.hpp"
#include "resources/module_parameter.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

std::string spec(const std::string& modules) { return "version: 1\nmodules: {" + modules + "}\n"; }

Item item_of(RecordedHost& host, const std::string& text, const Kind& kind, const std::string& key) {
  for (const auto& item : plan_spec(host, text).items)
    if (item.kind == &kind && item.key == key) return item;
  ADD_FAILURE() << "the plan has no " << kind.name << " " << key;
  return {};
}

bool says(const std::string& sentence, const std::string& part) { return sentence.find(part) != std::string::npos; }

std::string value_of(RecordedHost& host, const char* module, const char* parameter) {
  const auto found = host.host().modules->parameter({module}, {parameter});
  return found && found->value ? *found->value : "none";
}

TEST(Blocked, AModuleThatIsLoadedWaitsAndIsNeverUnloaded) {
  RecordedHost host(guide_model());
  host.host().modules->load({"rds_rdma"});
  const std::string text = spec("block: [rds_rdma, ib_iser]");
  EXPECT_TRUE(
      says(item_of(host, text, module_block_kind, "rds_rdma").gap.pending.sentence, "stays until the next boot"));
  EXPECT_TRUE(item_of(host, text, module_block_kind, "ib_iser").gap.in_sync());
  EXPECT_EQ(apply_spec(host, text).code, ExitCode::done);
  EXPECT_EQ(host.host().modules->status({"rds_rdma"}), ModuleStatus::loaded);
  const Item after = item_of(host, text, module_block_kind, "rds_rdma");
  EXPECT_FALSE(after.gap.pending.empty());
  EXPECT_EQ(after.next_boot, NextBoot::as_spec);
  const std::size_t moves = host.moves();
  EXPECT_EQ(apply_spec(host, text).code, ExitCode::done);
  EXPECT_EQ(host.moves(), moves);
}

TEST(Blocked, AModuleThatIsBlockedNoMoreIsLoadedInTheSameRun) {
  RecordedHost host(guide_model());
  ASSERT_EQ(apply_spec(host, spec("block: [rds_rdma]")).code, ExitCode::done);
  EXPECT_THROW(host.host().modules->load({"rds_rdma"}), SystemError);
  EXPECT_EQ(apply_spec(host, spec("load: [rds_rdma]")).code, ExitCode::done);
  EXPECT_EQ(host.host().modules->status({"rds_rdma"}), ModuleStatus::loaded);
}

TEST(Blocked, ABuiltInModuleCannotBe) {
  HostModel model = guide_model();
  model.modules.builtin.insert("ib_srpt");
  RecordedHost host(model);
  EXPECT_TRUE(says(item_of(host, spec("block: [ib_srpt]"), module_block_kind, "ib_srpt").gap.blocked, "built into"));
}

TEST(Parameters, AModuleIsLoadedWithItsOptions) {
  RecordedHost host(guide_model());
  const std::string text = spec("load: [ib_ipoib], options: {ib_ipoib: {recv_queue_size: 0x200}}");
  EXPECT_EQ(apply_spec(host, text).code, ExitCode::done);
  EXPECT_EQ(value_of(host, "ib_ipoib", "recv_queue_size"), "512");
  EXPECT_TRUE(plan_spec(host, text).is_empty());
  EXPECT_TRUE(item_of(host, text, module_parameter_kind, "ib_ipoib recv_queue_size").gap.in_sync());
}

TEST(Parameters, WhatIsTakenAtLoadOnlyIsPendingUntilThen) {
  RecordedHost host(loaded_model());
  const std::string text = spec("options: {ib_ipoib: {recv_queue_size: 512}}");
  EXPECT_EQ(apply_spec(host, text).code, ExitCode::done);
  const Item item = item_of(host, text, module_parameter_kind, "ib_ipoib recv_queue_size");
  EXPECT_TRUE(says(item.gap.pending.sentence, "runs with 256"));
  EXPECT_EQ(item.next_boot, NextBoot::as_spec);
  host.host().modules->unload({"ib_ipoib"});
  host.host().modules->load({"ib_ipoib"});
  EXPECT_TRUE(item_of(host, text, module_parameter_kind, "ib_ipoib recv_queue_size").gap.in_sync());
}

TEST(Parameters, AWritableOneIsMovedAndComesBack) {
  RecordedHost host(loaded_model());
  const std::string before = seen(host);
  const std::string text = spec("options: {ib_ipoib: {debug_level: 0x3}}");
  EXPECT_EQ(apply_spec(host, text).code, ExitCode::done);
  EXPECT_EQ(value_of(host, "ib_ipoib", "debug_level"), "3");
  EXPECT_TRUE(plan_spec(host, text).is_empty());
  Host doors = host.host();
  EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(value_of(host, "ib_ipoib", "debug_level"), "0");
  EXPECT_EQ(seen(host), before);
}

TEST(Parameters, WhatTheKernelDoesNotHaveIsBlocked) {
  RecordedHost host(loaded_model());
  EXPECT_TRUE(says(
      item_of(host, spec("options: {ib_ipoib: {no_such: 1}}"), module_parameter_kind, "ib_ipoib no_such").gap.blocked,
      "modinfo -p ib_ipoib"));
  EXPECT_TRUE(says(item_of(host, spec("options: {no_such: {a: 1}}"), module_parameter_kind, "no_such a").gap.blocked,
                   "has no module no_such"));
  EXPECT_TRUE(says(
      item_of(host, spec("options: {ib_ipoib: {debug_level: high}}"), module_parameter_kind, "ib_ipoib debug_level")
          .gap.blocked,
      "takes no high"));
}

TEST(Parameters, AValueOfTheWrongKindIsNotWrittenForTheNextBoot) {
  RecordedHost host(loaded_model());
  EXPECT_EQ(apply_spec(host, spec("options: {ib_ipoib: {debug_level: high, mcast_debug_level: 1}}")).code,
            ExitCode::could_not);
  const std::string written = host.model().files.at("/etc/modprobe.d/rdmastate-options.conf").bytes;
  EXPECT_TRUE(says(written, "options ib_ipoib mcast_debug_level=1"));
  EXPECT_EQ(written.find("high"), std::string::npos) << "the kernel would not load the module: " << written;
}

TEST(Parameters, AFileThatIsReadLaterIsNamed) {
  HostModel model = loaded_model();
  model.files["/etc/modprobe.d/zz-site.conf"] = {
      {FileType::regular, 0644, 0, 0}, "options ib-ipoib debug_level=0\n", {}};
  model.files["/etc/modprobe.d/aa-site.conf"] = {
      {FileType::regular, 0644, 0, 0}, "options ib_ipoib send_queue_size=512\n", {}};
  add_parents(model.files);
  RecordedHost host(model);
  const std::string text = spec("options: {ib_ipoib: {debug_level: 1, send_queue_size: 128}}");
  ASSERT_EQ(apply_spec(host, text).code, ExitCode::done);
  EXPECT_EQ(value_of(host, "ib_ipoib", "debug_level"), "1") << "what the kernel takes now it is given";
  const Item lost = item_of(host, text, module_parameter_kind, "ib_ipoib debug_level");
  EXPECT_TRUE(says(lost.warning, "/etc/modprobe.d/zz-site.conf says options ib-ipoib debug_level=0")) << lost.warning;
  EXPECT_EQ(lost.next_boot, NextBoot::differs);
  const Item kept = item_of(host, text, module_parameter_kind, "ib_ipoib send_queue_size");
  EXPECT_TRUE(kept.gap.in_sync() && kept.warning.empty());
  EXPECT_EQ(kept.next_boot, NextBoot::as_spec);
}

}  // namespace
}  // namespace rdmastate
