// SPDX-License-Identifier: Apache-2.0
// Kind `virtual_functions`: how many SR-IOV virtual functions a port's PCI function has, whether drivers of this host
// take them, and what each of them is told: its GUIDs and what its link follows. Key: the text of a PortId. All of it
// is lost when the driver is unloaded. Twin: boot.json. The functions are one resource: their number changes through 0.
#pragma once

#include <map>

#include "resources/kind.hpp"
#include "resources/port_id.hpp"

namespace rdmastate {

/// One virtual function. Wanted: a field without a value is left alone.
struct VfState : VfSettings {
  std::optional<bool> bound;  ///< a driver has it
  bool operator==(const VfState&) const = default;
};

struct VirtualFunctionsState {
  DeviceId device;
  PortNumber port;
  VfNumber vfs{};                 ///< how many
  std::optional<bool> autoprobe;  ///< drivers take new ones
  std::map<VfNumber, VfState> functions;
  bool operator==(const VirtualFunctionsState&) const = default;
};

template <>
struct Fields<VfState> {
  static constexpr std::string_view name = "function";
  static constexpr std::string_view doc = "One virtual function.";
  static constexpr auto table = Table{
      Field{"node_guid", &VfState::node_guid, "The GUID of its RDMA device."},
      Field{"port_guid", &VfState::port_guid, "The GUID of that device's port."},
      Field{"link_state", &VfState::link_state, "What its link follows."},
      Field{"bound", &VfState::bound, "Whether a driver has it."},
  };
};

template <>
struct Fields<VirtualFunctionsState> {
  static constexpr std::string_view name = "virtual_functions";
  static constexpr std::string_view doc = "The virtual functions of a port's PCI function.";
  static constexpr auto table = Table{
      Field{"device", &VirtualFunctionsState::device, "Which device.", {.required = true, .identity = true}},
      Field{"port", &VirtualFunctionsState::port, "Its port.", {.required = true, .identity = true}},
      Field{"vfs", &VirtualFunctionsState::vfs, "How many there are."},
      Field{"autoprobe", &VirtualFunctionsState::autoprobe, "Whether drivers take new ones."},
      Field{"functions", &VirtualFunctionsState::functions, "Each of them, by number.", {.whole = true}},
  };
};

extern const Kind virtual_functions_kind;
/// The module whose interface of the port tells virtual functions their GUIDs and link states.
inline constexpr std::string_view vf_module = "ib_ipoib";

/// The interface of the physical function by which its virtual ones are told: of IPoIB, or the network device of an
/// Ethernet port. nullptr: there is none, or no such port.
const Link* telling_link(const Snapshot& snapshot, const RdmaDevice& device, PortNumber number);
/// What is there now; nullopt: the device can have no virtual functions.
std::optional<VirtualFunctionsState> observe_functions(const Snapshot& snapshot, const RdmaDevice& device,
                                                       const PortId& id);
/// The gap of a resource of this kind.
Gap gap_of_functions(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);
/// The numbers of the virtual functions that the step takes from who has them: they go, or are bound anew, since a
/// driver reads GUIDs when it is bound.
std::vector<VfNumber> disturbed_by(const VirtualFunctionsState& from, const VirtualFunctionsState& to);
/// Who has these virtual functions of the device, a text each: "process 812 (rping, 1 queue pair) on mlx5_2".
std::vector<std::string> holders_of(const Snapshot& snapshot, const RdmaDevice& device,
                                    const std::vector<VfNumber>& numbers);

}  // namespace rdmastate
