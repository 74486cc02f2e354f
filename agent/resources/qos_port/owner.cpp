// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/owner.hpp"

#include <fmt/format.h>

#include "host/ordered_files.hpp"
#include "resources/qos_port/drivers.hpp"
#include "resources/unit/on_disk.hpp"

namespace rdmastate {
namespace {

std::string how_to_switch(const RdmaDevice& device, const std::string& netdev) {
  const std::string_view known = dcb_driver(device.driver).dcbx_off;
  return known.empty() ? fmt::format("turn that off with the vendor's tool of {}", device.name)
                       : fmt::format(fmt::runtime(known), netdev);
}

bool is_firmware(const RdmaDevice& device, const std::optional<DcbxMode>& mode) {
  return mode && (mode->is_firmware() || (mode->bits == 0 && dcb_driver(device.driver).zero_is_firmware));
}

enum class Lldpad { absent, enabled, running, unseen };

bool can_start(const Snapshot& snapshot, std::string_view unit) {
  const std::string path = found_unit(snapshot, unit);
  return !path.empty() && !is_masking(snapshot, path);
}

bool is_enabled(const Snapshot& snapshot, std::string_view unit) {
  return can_start(snapshot, unit) && !links_that_start(snapshot, unit).empty();
}

// The control group of systemd's services, in version 2 and in version 1 of them.
constexpr std::string_view slices[] = {"/sys/fs/cgroup/system.slice", "/sys/fs/cgroup/systemd/system.slice"};

std::string processes_of(std::string_view group) { return fmt::format("{}/cgroup.procs", group); }

// Where systemd does not answer, as before D-Bus runs at a boot: a unit that runs has a control group (cgroups(7)).
Lldpad lldpad_by_groups(const Snapshot& snapshot) {
  for (const auto slice : slices) {
    if (snapshot.exists(processes_of(fmt::format("{}/{}", slice, lldpad_unit)))) return Lldpad::running;
    if (snapshot.exists(processes_of(slice))) return Lldpad::absent;
  }
  return Lldpad::unseen;
}

Lldpad look_for_lldpad(const Snapshot& snapshot) {
  const UnitLook* look = snapshot.unit(std::string(lldpad_unit));
  if (look != nullptr && look->active) return Lldpad::running;
  if (!can_start(snapshot, lldpad_unit)) return Lldpad::absent;
  if (is_enabled(snapshot, lldpad_unit) || is_enabled(snapshot, lldpad_socket)) return Lldpad::enabled;
  return snapshot.systemd_answers() ? Lldpad::absent : lldpad_by_groups(snapshot);
}

}  // namespace

DcbOwner other_dcb_owner(const Snapshot& snapshot, const RdmaDevice& device, const std::string& netdev,
                         const DcbState& now) {
  if (is_firmware(device, now.dcbx))
    return {
        fmt::format("the firmware of {} may negotiate the priorities of {} with the switch (DCBX), and overwrite "
                    "what is set: {}",
                    device.name, netdev, how_to_switch(device, netdev))};
  const Lldpad lldpad = look_for_lldpad(snapshot);
  if (lldpad == Lldpad::absent) return {};
  if (lldpad == Lldpad::unseen)
    return {.unseen = fmt::format("whether lldpad runs, and negotiates the priorities of {}, is not seen: systemd does "
                                  "not answer here",
                                  netdev)};
  return {
      fmt::format("lldpad {} the priorities of {} with the switch (DCBX), and may overwrite what is set: set "
                  "them with lldptool, or turn it off: `systemctl disable --now {} {}`",
                  lldpad == Lldpad::running ? "negotiates" : "is enabled: once started it negotiates", netdev,
                  lldpad_unit, lldpad_socket)};
}

FilePlaces lldpad_places() {
  FilePlaces places = unit_places(lldpad_unit);
  append(places, unit_places(lldpad_socket));
  for (const auto slice : slices)
    for (const auto& group : {std::string(slice), fmt::format("{}/{}", slice, lldpad_unit)})
      places.push_back(presence(processes_of(group)));
  return places;
}

}  // namespace rdmastate
