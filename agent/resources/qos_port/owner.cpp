// SPDX-License-Identifier: Apache-2.0
#include "resources/qos_port/owner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/ordered_files.hpp"
#include "resources/qos_port/drivers.hpp"
#include "resources/unit/on_disk.hpp"

namespace rdmastate {
namespace {

/// How a driver's firmware is told to leave DCBX to the host; `{}` is the network device.
struct Switch {
  std::string_view driver;
  std::string_view text;
};

// mlx5e_dcbnl_setdcbx() of mlx5's en_dcbnl.c, and mlxconfig's manual; ice.rst in
// Documentation/networking/device_drivers of Linux; i40e_priv_flags of i40e_ethtool.c.
constexpr Switch switches[] = {
    {mlx5_driver,
     "`dcb dcbx set dev {} host ieee` gives them to the host now, and mlxconfig's LLDP_NB_DCBX_P1=0 (or _P2) from the "
     "firmware's next reset on"},
    {"ice", "`ethtool --set-priv-flags {} fw-lldp-agent off` turns that off"},
    {"i40e", "`ethtool --set-priv-flags {} disable-fw-lldp on` turns that off"},
};

std::string how_to_switch(const RdmaDevice& device, const std::string& netdev) {
  const auto* found = std::find_if(std::begin(switches), std::end(switches),
                                   [&](const Switch& one) { return one.driver == device.driver; });
  return found == std::end(switches) ? fmt::format("turn that off with the vendor's tool of {}", device.name)
                                     : fmt::format(fmt::runtime(found->text), netdev);
}

// mlx5 shows no bit at all where mode `host` was set without a version, and 0 after it: then its firmware has them.
bool is_firmware(const RdmaDevice& device, const std::optional<DcbxMode>& mode) {
  return mode && (mode->is_firmware() || (mode->bits == 0 && device.driver == mlx5_driver));
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
