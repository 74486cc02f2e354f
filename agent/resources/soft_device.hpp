// SPDX-License-Identifier: Apache-2.0
// Kind `soft_device`: an RDMA device that a driver makes of a network device (rxe, siw). Key: "rxe enp1s0": a network
// device has at most one of each type, whatever it is called. Gone with its network device, its driver and the boot.
#pragma once

#include "base/types_device.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

struct SoftDeviceState {
  SoftType type = SoftType::rxe;
  IfName netdev;
  DeviceName name;
  bool operator==(const SoftDeviceState&) const = default;
};

template <>
struct Fields<SoftDeviceState> {
  static constexpr std::string_view name = "soft_device";
  static constexpr std::string_view doc = "A software RDMA device on top of a network device.";
  static constexpr auto table = Table{
      Field{"type", &SoftDeviceState::type, "The driver.", {.required = true, .identity = true}},
      Field{"netdev", &SoftDeviceState::netdev, "The network device.", {.required = true, .identity = true}},
      Field{"name", &SoftDeviceState::name, "The RDMA device's name.", {.required = true}},
  };
};

extern const Kind soft_device_kind;
/// The kind's key: "rxe on enp1s0".
std::string soft_device_key(SoftType type, const IfName& netdev);
/// The module that makes such devices: "rdma_rxe".
std::string soft_driver(SoftType type);

}  // namespace rdmastate
