// SPDX-License-Identifier: Apache-2.0
// Section `soft_devices`: RDMA devices that a driver makes of network devices.
#pragma once

#include <vector>

#include "base/fields.hpp"
#include "base/types_device.hpp"
#include "host/rdma.hpp"

namespace rdmastate {

struct SoftDeviceRecord {
  DeviceName name;
  SoftType type = SoftType::rxe;
  IfName netdev;
};

template <>
struct Fields<SoftDeviceRecord> {
  static constexpr std::string_view name = "soft_devices";
  static constexpr std::string_view doc = "An RDMA device that a driver makes of a network device.";
  static constexpr auto table = Table{
      Field{"name",
            &SoftDeviceRecord::name,
            "The RDMA device's name. One that the network device has under another name is renamed.",
            {.required = true, .example = "rxe0"}},
      Field{"type",
            &SoftDeviceRecord::type,
            "rxe: RoCE v2 over UDP; siw: iWARP over TCP.",
            {.required = true, .identity = true, .example = "rxe"}},
      Field{"netdev",
            &SoftDeviceRecord::netdev,
            "The network device, by its name. The soft device goes with it and is made again when it is back.",
            {.required = true, .identity = true, .example = "enp1s0"}},
  };
};

}  // namespace rdmastate
