// SPDX-License-Identifier: Apache-2.0
// Kind `soft_device`: an RDMA device that a driver of the kernel makes on top of a network device (rxe, siw). Key: "rxe
// enp1s0", since a network device has at most one of each type, whatever the RDMA device's name. It disappears with its
// network device, with its driver and at a reboot. Twin: an entry of boot.json.
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
      Field{"type",
            &SoftDeviceState::type,
            "rxe (RoCE in software) or siw (iWARP in software).",
            {.required = true, .identity = true}},
      Field{"netdev", &SoftDeviceState::netdev, "The network device.", {.required = true, .identity = true}},
      Field{"name", &SoftDeviceState::name, "The RDMA device's name.", {.required = true}},
  };
};

extern const Kind soft_device_kind;
/// The resource's key: "rxe enp1s0".
std::string soft_device_key(SoftType type, const IfName& netdev);
/// The module that makes such devices: "rdma_rxe", "siw".
std::string soft_device_module(SoftType type);

}  // namespace rdmastate
