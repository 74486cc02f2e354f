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
  static constexpr std::string_view doc = "A software RDMA device on top of a network device.";
  static constexpr auto table = Table{
      Field{"name",
            &SoftDeviceRecord::name,
            "The RDMA device's name. A device that exists under another name is renamed.",
            {.required = true, .example = "rxe0"}},
      Field{"type",
            &SoftDeviceRecord::type,
            "rxe: RoCE v2 over UDP; siw: iWARP over TCP.",
            {.required = true, .identity = true, .example = "rxe"}},
      Field{"netdev",
            &SoftDeviceRecord::netdev,
            "The name of the network device. The soft device disappears with it and is created again when it returns.",
            {.required = true, .identity = true, .example = "enp1s0"}},
  };
};

}  // namespace rdmastate
