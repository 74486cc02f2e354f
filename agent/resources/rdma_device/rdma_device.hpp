// SPDX-License-Identifier: Apache-2.0
// Kind `rdma_device`: an RDMA device and its name. Key: DeviceId. No step makes a device: a gap says what is missing.
// Twin of the name: a udev rule, and boot.json for names that devices have to swap.
#pragma once

#include "resources/device_id.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

struct RdmaDeviceState {
  DeviceId id;
  std::optional<DeviceName> name;  ///< wanted nullopt: the device keeps its name
  bool operator==(const RdmaDeviceState&) const = default;
};

template <>
struct Fields<RdmaDeviceState> {
  static constexpr std::string_view name = "rdma_device";
  static constexpr std::string_view doc = "An RDMA device.";
  static constexpr auto table = Table{
      Field{"id", &RdmaDeviceState::id, "Which device.", {.required = true, .identity = true}},
      Field{"name", &RdmaDeviceState::name, "Its name."},
  };
};

extern const Kind rdma_device_kind;
/// The step of this plan that this missing device may come with: on a module, "module rdma_rxe", or on the virtual
/// functions of another device; empty: there is none. ib_ipoib, rdma_cm and others that use devices bring none.
std::string bringer_of_device(const Scene& scene, const DeviceId& id);
/// The gap of a resource of a device while `id` does not select exactly one device: it waits for a module that may
/// bring it, or is blocked.
Gap gap_without_device(const Scene& scene, const DeviceId& id);

}  // namespace rdmastate
