// SPDX-License-Identifier: Apache-2.0
// What rdma_cm uses on a port: what is a step, what waits and what is refused.
#include <gtest/gtest.h>

#include <cerrno>

#include "base/error.hpp"
#include "resources/registry.hpp"
#include "resources/roce_port.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string key = "node_guid f452:1403:007b:cba0 port 2";
const HostModel::Port port{"mlx4_1", 2};

std::string spec(const std::string& roce, const std::string& number = "2") {
  return "version: 1\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n    ports: {" + number +
         ": {roce: " + roce + "}}\n";
}

HostModel with_rdma_cm() {
  RecordedHost host(guide_model());
  host.host().modules->load({"rdma_cm"});
  return host.model();
}

Gap gap_of(const std::string& text, HostModel model) { return gap_in(std::move(model), text, roce_port_kind); }

TEST(RocePort, OnlyWhatIsNamedMoves) {
  const Gap gap = gap_of(spec("{tos: 106}"), with_rdma_cm());
  ASSERT_TRUE(gap.move);
  EXPECT_EQ(gap.move->from->as<RocePortState>().tos, Tos{0});
  EXPECT_EQ(gap.move->to->as<RocePortState>().tos, Tos{106});
  EXPECT_EQ(gap.move->to->as<RocePortState>().default_mode, RoceMode::v2);
  RecordedHost host(with_rdma_cm());
  const std::size_t before = host.calls().size();
  ASSERT_EQ(apply_spec(host, spec("{tos: 106}")).code, ExitCode::done);
  for (std::size_t i = before; i < host.calls().size(); ++i)
    EXPECT_EQ(host.calls()[i].find("RoCE mode"), std::string::npos) << host.calls()[i];
}

TEST(RocePort, EqualIsNoStep) { EXPECT_TRUE(gap_of(spec("{default_mode: v2, tos: 0}"), with_rdma_cm()).in_sync()); }

TEST(RocePort, ComesAfterItsModule) {
  EXPECT_EQ(gap_of(spec("{tos: 106}"), guide_model()).after, "module rdma_cm");
  RecordedHost host(guide_model());
  ASSERT_EQ(apply_spec(host, spec("{default_mode: v1, tos: 106}")).code, ExitCode::done);
  EXPECT_TRUE(host.model().modules.loaded.contains("rdma_cm"));
  EXPECT_EQ(host.model().roce.at(port).defaults, (RoceDefaults{RoceMode::v1, 106}));
  EXPECT_TRUE(plan_spec(host, spec("{default_mode: v1, tos: 106}")).is_empty());
}

TEST(RocePort, AModuleThatTheSpecLoadsIsNamedOnce) {
  const std::string text = spec("{tos: 1}") + "modules: {load: [rdma_cm]}\n";
  RecordedHost host(guide_model());
  EXPECT_EQ(apply_spec(host, text).code, ExitCode::done);
}

TEST(RocePort, AKernelWithoutTheModuleIsBlocked) {
  HostModel model = guide_model();
  model.modules.loadable.erase("rdma_cm");
  EXPECT_NE(gap_of(spec("{tos: 1}"), model).blocked.find("has no module rdma_cm"), std::string::npos);
}

TEST(RocePort, PortsThatAreNotRoceAreBlocked) {
  EXPECT_EQ(
      gap_of(spec("{tos: 1}", "1"), with_rdma_cm()).blocked,
      "mlx4_1 port 1 has link layer infiniband: RoCE needs an Ethernet port (remove roce from the spec, or change the port's "
      "link type)");
  EXPECT_EQ(gap_of(spec("{tos: 1}", "3"), with_rdma_cm()).blocked, "mlx4_1 has no port 3 (ports: 1, 2)");
}

TEST(RocePort, AModeThatThePortHasNotIsBlockedAndTheRestMoves) {
  HostModel model = with_rdma_cm();
  model.roce[port] = {{RoceMode::v1}, {RoceMode::v1, 0}};
  const Gap gap = gap_of(spec("{default_mode: v2, tos: 106}"), model);
  EXPECT_EQ(gap.blocked,
            "mlx4_1 port 2 has no \"RoCE v2\" GID, only \"IB/RoCE v1\": take default_mode: v2 out, or say v1");
  ASSERT_TRUE(gap.move);
  EXPECT_EQ(gap.move->to->as<RocePortState>().default_mode, RoceMode::v1);
  EXPECT_EQ(gap.move->to->as<RocePortState>().tos, Tos{106});
}

TEST(RocePort, AnOptionalDeviceThatIsMissingIsNoDifference) {
  RecordedHost host(guide_model());  // rdma_cm, which comes, brings no device
  const std::string text =
      "version: 1\ndevices:\n  - match: {pci: \"0000:ff:00.0\"}\n    optional: true\n    ports: {2: {roce: {tos: 1}}}\n";
  const Plan plan = plan_spec(host, text);
  EXPECT_EQ(plan.count_blocked(), 0U);
  EXPECT_TRUE(find_item(plan, roce_port_kind)->waived);
}

TEST(RocePort, FollowsARenameInTheSameApply) {
  RecordedHost host(with_rdma_cm());
  std::string text = spec("{default_mode: v1}");
  text.insert(text.find("    ports"), "    name: store0\n");
  ASSERT_EQ(apply_spec(host, text).code, ExitCode::done);
  EXPECT_EQ(host.model().roce.at({"store0", 2}).defaults.mode, RoceMode::v1);
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_TRUE(host.model().roce.empty());
}

TEST(RocePort, LetGoItKeepsItsValue) {
  RecordedHost host(with_rdma_cm());
  apply_spec(host, spec("{tos: 106}"));
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  EXPECT_EQ(host.model().roce.at(port).defaults.tos, 106U);
  EXPECT_FALSE(host.model().files.contains("/etc/rdmastate/boot.json"));
}

TEST(RocePort, KeysAreRead) {
  EXPECT_EQ(device_port_key(device_id_from("pci 0000:3b:00.0"), {2}), "pci 0000:3b:00.0 port 2");
  RecordedHost host(with_rdma_cm());
  Host doors = host.host();
  const Snapshot snapshot(doors);
  EXPECT_EQ(roce_port_kind.resolve(snapshot, "name mlx4_1 port 2"), key);
  for (const char* text : {"", "port 2", "name mlx4_1", "name mlx4_1 port 0", "name mlx4_1 port x"})
    EXPECT_THROW(roce_port_kind.observe(snapshot, text), Error) << text;
}

}  // namespace
}  // namespace rdmastate
