// SPDX-License-Identifier: Apache-2.0
// The checks of ports: link, state, and the subnet manager that an InfiniBand port waits for.
#include <fmt/format.h>

#include "doctor/examination.hpp"
#include "doctor/spec_lines.hpp"

namespace rdmastate::doctor {
namespace {

// ib_port_state and ib_port_phys_state, include/rdma/ib_verbs.h.
constexpr std::uint32_t state_down = 1, state_init = 2, state_armed = 3;
constexpr std::uint32_t phys_disabled = 3, phys_link_up = 5;

bool is_infiniband(const RdmaPort& port) { return port.link_layer == LinkLayer::infiniband; }

template <class Each>
void each_port(Examination& look, Each&& each) {
  for (const auto& device : look.facts.devices)
    for (const auto& port : device.ports) each(device, port);
}

// As evidence: the states of the port.
std::vector<Evidence> seen(const RdmaDevice& device, const RdmaPort& port) {
  const std::string path = sysfs_of(device, port);
  return {{path + "state", std::to_string(port.state)}, {path + "phys_state", std::to_string(port.phys_state)}};
}

std::vector<Evidence> with_lids(const RdmaDevice& device, const RdmaPort& port) {
  const std::string path = sysfs_of(device, port);
  auto all = seen(device, port);
  all.push_back({path + "lid", std::to_string(port.lid)});
  all.push_back({path + "sm_lid", std::to_string(port.sm_lid)});
  return all;
}

// Many adapters have a port with no cable in it. A port is wanted where its interface is up; an InfiniBand port also
// where no port of the host is ACTIVE.
bool is_wanted(Examination& look, const RdmaDevice& device, const RdmaPort& port) {
  const Link* link = look.interface_of(device, port);
  if (link != nullptr && link->up) return true;
  if (!is_infiniband(port)) return false;
  bool works = false;
  each_port(look, [&](const RdmaDevice&, const RdmaPort& one) { works = works || one.is_active(); });
  return !works;
}

// --- port-down, port-disabled

void look_for_down(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    if (port.state != state_down || port.phys_state == phys_disabled) return;
    auto& finding =
        look.found(subject_of(device, port), "the port finds no partner on its link (DOWN)",
                   "There is no cable, the other end is off, or cable and ports do not fit each other.",
                   "Check cable and switch port; for Ethernet `ip link show` says whether the interface is up.",
                   seen(device, port));
    if (!is_wanted(look, device, port)) finding.severity = Severity::info;
  });
}

void look_for_disabled(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    if (port.state != state_down || port.phys_state != phys_disabled) return;
    auto& finding = look.found(
        subject_of(device, port), "the port is disabled",
        is_infiniband(port) ? "Somebody disabled it at the switch or here, or it is a virtual function without GUIDs."
                            : "Its network interface is down.",
        is_infiniband(port) ? "From a host with umad: `ibportstate LID PORT enable`."
                            : "Bring the interface up: list it in the configuration of who manages it.",
        seen(device, port));
    if (!is_wanted(look, device, port)) finding.severity = Severity::info;
  });
}

// --- no-subnet-manager, port-not-active, subnet-manager-lost

// Whether a subnet manager has given the port a LID.
bool has_manager(const RdmaPort& port) {
  constexpr std::uint32_t permissive_lid = 0xffff;
  return port.sm_lid != 0 && port.lid != 0 && port.lid != permissive_lid;
}

// Whether the link is up and the port waits for a subnet manager to make it ACTIVE.
bool waits(const RdmaPort& port) {
  return is_infiniband(port) && (port.state == state_init || port.state == state_armed) &&
         port.phys_state == phys_link_up;
}

void look_for_manager(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    if (!waits(port) || has_manager(port)) return;
    look.found(subject_of(device, port), "the link is up, and no subnet manager has made the port ACTIVE",
               "No subnet manager runs on this fabric, or it does not reach this port.",
               fmt::format("Where this host is to run it: {}. Else start the switch's or the fabric's manager.",
                           manager_line(port)),
               with_lids(device, port));
  });
}

void look_for_not_active(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    if (!waits(port) || !has_manager(port)) return;
    look.found(subject_of(device, port), "the subnet manager knows the port, and has not made it ACTIVE",
               "The manager is at its sweep, or cannot route to the port.",
               "Wait for a sweep (10 s as OpenSM ships); then read the manager's log.", with_lids(device, port));
  });
}

void look_for_lost(Examination& look) {
  each_port(look, [&](const RdmaDevice& device, const RdmaPort& port) {
    if (!is_infiniband(port) || !port.is_active() || port.sm_lid != 0) return;
    look.found(subject_of(device, port), "the port is ACTIVE, and its subnet manager's LID is 0",
               "The subnet manager went away: what works goes on, and nobody new joins.",
               fmt::format("Start the subnet manager again: the fabric's own, or where this host is to run it: {}.",
                           manager_line(port)),
               with_lids(device, port));
  });
}

constexpr Check port_table[] = {
    {"port-down", Severity::error, "A port finds no partner on its link",
     "The port is DOWN and looks for a partner (Polling), or, of Ethernet, has no carrier. It is an error where the port's "
     "interface is up or where no port of the host works, and information else: adapters with two ports often use one.",
     look_for_down},
    {"port-disabled", Severity::error, "A port is disabled",
     "An InfiniBand port is Disabled by ibportstate, by the switch's administrator, or by the driver of a virtual function "
     "that has no GUIDs yet. An Ethernet port is disabled while its network interface is down. It is an error where the "
     "interface is up or where no port of the host works.",
     look_for_disabled},
    {"no-subnet-manager", Severity::error, "A port's link is up, and no subnet manager answers",
     "An InfiniBand port becomes ACTIVE when a subnet manager gives it a LID. LinkUp with the state INIT and without LIDs "
     "means that none did: back-to-back links and switches without management need one on a host (opensm).",
     look_for_manager},
    {"port-not-active", Severity::error, "A port has a LID, and is not ACTIVE",
     "A subnet manager has given the port a LID and left it in INIT or ARMED. It passes through these states in some "
     "seconds; a port that stays there was not routed, or the manager is busy or broken.",
     look_for_not_active},
    {"subnet-manager-lost", Severity::warning, "A port is ACTIVE, and its subnet manager is gone",
     "The port shows 0 as its subnet manager's LID. Traffic goes on; multicast groups (so IPoIB), path queries and new ports "
     "need a manager.",
     look_for_lost},
};

FilePlaces port_places() { return {}; }

}  // namespace

const CheckFamily port_checks{port_table, port_places};

}  // namespace rdmastate::doctor
