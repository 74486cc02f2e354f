// SPDX-License-Identifier: Apache-2.0
// Whether a running OpenSM announces itself, how long its start is waited for, and the warning beside a fabric manager
// of Omni-Path.
#include <gtest/gtest.h>

#include "plan/record.hpp"
#include "platform/opensm.hpp"
#include "resources/link_table.hpp"
#include "resources/opensm_ports.hpp"
#include "resources/opensm_unit.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

// CapabilityMask as sysfs prints it: without, and with, IsSM (0x2).
constexpr const char* silent = "0x02514868\n";
constexpr const char* announced = "0x0251486a\n";

// The first InfiniBand port whose link is up on the guide's host, and the mask that sysfs shows of it.
struct Port {
  std::string unit;
  std::string mask;  ///< path
};

Port first_port(const HostModel& model) {
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::infiniband && port.phys_state == 5)  // LinkUp
        return {opensm_unit_on(port.guid.value),
                "/sys/class/infiniband/" + device.name + "/ports/" + std::to_string(port.number) + "/cap_mask"};
  return {};
}

// A host whose first port has this mask; without one sysfs does not show it.
HostModel with_mask(const std::string& mask) {
  HostModel model = guide_model();
  const Port port = first_port(model);
  model.files["/usr/lib/systemd/system/opensm@.service"] = {{FileType::regular, 0644, 0, 0}, "[Service]\n", {}};
  if (!mask.empty()) model.files[port.mask] = {{FileType::regular, 0444, 0, 0}, mask, {}};
  add_parents(model.files);
  model.systemd.emplace();
  return model;
}

TEST(OpensmPorts, SayWhetherTheyAnnounceASubnetManager) {
  EXPECT_EQ(has_is_sm("0x02514868"), false);
  EXPECT_EQ(has_is_sm("0x0251486a"), true);
  EXPECT_EQ(has_is_sm(""), std::nullopt);
  EXPECT_EQ(has_is_sm("0xq"), std::nullopt);
  const auto count = [](const std::string& mask, bool of_any_port) {
    RecordedHost host(with_mask(mask));
    Host doors = host.host();
    const std::string unit =
        of_any_port ? "opensm.service" : first_port(guide_model()).unit;  // opensm.service may run on any port
    return unannounced_ports(Snapshot(doors), unit).size();
  };
  EXPECT_EQ(count(silent, false), 1U);
  EXPECT_EQ(count(announced, false), 0U);
  EXPECT_EQ(count("", false), 0U) << "not seen";
  EXPECT_EQ(count(silent, true), 0U) << "the masks of the other ports are not shown";
}

// The sentence with which a plan warns, while the unit runs.
std::string warning(const std::string& mask, bool lost = false) {
  HostModel model = with_mask(mask);
  const std::string unit = first_port(model).unit;
  model.systemd->units[unit] = {812, {}, /*needs_reload=*/false, /*lost_device=*/lost};
  RecordedHost host(model);
  Host doors = host.host();
  const Snapshot snapshot(doors);
  const Facts facts = read_facts(snapshot);
  return opensm_unit_kind.warn({facts, snapshot}, unit, running_opensm());
}

TEST(OpensmUnit, ThatDoesNotAnnounceItselfIsWarnedOf) {
  EXPECT_NE(warning(silent).find("no subnet manager is announced (IsSM) on mlx4_"), std::string::npos)
      << warning(silent);
  EXPECT_EQ(warning(announced), "");
  EXPECT_EQ(warning(""), "");
  EXPECT_EQ(warning(silent, /*lost=*/true), "") << "it is started anew, which is a step";
}

// Both before OpenSM is started and while it runs; also on a record of the host.
TEST(OpensmUnit, BesideAFabricManagerOfOmniPathIsWarnedOf) {
  const auto warned = [](const std::string& other, bool runs) {
    HostModel model = with_mask(announced);
    const std::string unit = first_port(model).unit;
    if (runs) model.systemd->units[unit] = {812, {}};
    if (!other.empty()) model.systemd->units[other] = {};
    RecordedHost host(std::move(model));
    Host doors = host.host();
    const Snapshot snapshot(doors);
    const Facts facts = read_facts(snapshot);
    const std::string told = opensm_unit_kind.warn({facts, snapshot}, unit, running_opensm());
    RecordedHost again(record_host(snapshot, facts));
    Host doors_again = again.host();
    const Snapshot recorded(doors_again);
    EXPECT_EQ(opensm_unit_kind.warn({facts, recorded}, unit, running_opensm()), told);
    return told;
  };
  for (const std::string other : {"opafm.service", "opa-fm.service"})
    for (const bool runs : {false, true})
      EXPECT_TRUE(warned(other, runs).starts_with(other + " runs here, the fabric manager of Omni-Path"))
          << warned(other, runs);
  EXPECT_EQ(warned("", true) + warned("slurmd.service", true), "");
}

// How long a start takes.
std::chrono::milliseconds start(const std::string& mask) {
  RecordedHost host(with_mask(mask));
  Host doors = host.host();
  LinkTable links(doors);
  Tools tools{doors, links};
  const State runs = running_opensm();
  const auto before = doors.clock.ticks();
  opensm_unit_kind.move(tools, first_port(host.model()).unit, nullptr, &runs);
  return std::chrono::duration_cast<std::chrono::milliseconds>(doors.clock.ticks() - before);
}

TEST(OpensmUnit, StartIsWaitedForUntilItIsAnnounced) {
  EXPECT_EQ(start(announced).count(), 0);
  EXPECT_EQ(start("").count(), 0);
  EXPECT_EQ(start(silent).count(), 10000) << "and no longer";
}

}  // namespace
}  // namespace rdmastate
