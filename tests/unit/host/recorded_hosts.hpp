// SPDX-License-Identifier: Apache-2.0
// A small host for tests: one InfiniBand port with two partitions, its parent interface down, one Ethernet
// interface.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "host/recorded/recorded.hpp"

namespace rdmastate {

inline constexpr std::string_view small_host = R"({
  "format_version": 1,
  "origin": "written for tests",
  "files": {
    "/etc/hostname": {"content": "small\n"},
    "/var/lib": {"directory": true},
    "/run": {"directory": true}
  },
  "links": [
    {"name": "lo", "type": 772, "address": "00:00:00:00:00:00", "up": true, "carrier": true, "mtu": 65536, "ipv6": "auto"},
    {"name": "eth0", "type": 1, "address": "52:54:00:12:34:56", "up": true, "carrier": true, "mtu": 1500, "ipv6": "auto"},
    {"name": "ib0", "type": 32, "address": "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:cb:a1",
     "up": false, "mtu": 4092, "ipoib": {"pkey": "0xffff", "mode": "datagram"}, "ipv6": "auto"}
  ],
  "rdma": [
    {"name": "mlx4_0", "node_guid": "f452:1403:007b:cba0",
     "ports": [{"number": 1, "guid": "f452:1403:007b:cba1", "link_layer": "infiniband", "state": 4, "phys_state": 5,
                "lid": 2, "sm_lid": 2, "pkeys": ["0xffff", "0x8002", "0x0003"], "group_mtus": {"0x8003": 4096}}]}
  ],
  "modules": {
    "loaded": ["ib_core", "ib_ipoib", "mlx4_ib"],
    "loadable": ["ib_umad", "rpcrdma"],
    "parameters": {"ib_ipoib.recv_queue_size": "256", "ib_ipoib.debug_level": "0"},
    "writable": ["ib_ipoib.debug_level"],
    "depends": {"ib_ipoib": ["ib_core"], "mlx4_ib": ["ib_core"], "ib_umad": ["ib_core"]},
    "aliases": {"xprtrdma": "rpcrdma"}
  }
})";

inline RecordedHost make_small_host() { return RecordedHost::from_json(small_host, "small.json"); }

/// The errno that `work` throws as a SystemError; 0 when it throws nothing.
template <class Work>
int refusal(Work&& work) {
  try {
    work();
  } catch (const SystemError& error) {
    return error.number();
  }
  return 0;
}

inline IpInterface interface_of(const std::string& text) {
  IpInterface value;
  EXPECT_FALSE(Text<IpInterface>::read({text}, value)) << text;
  return value;
}

inline IpNetwork network(const std::string& text) {
  IpNetwork value;
  EXPECT_FALSE(Text<IpNetwork>::read({text}, value)) << text;
  return value;
}

inline IpAddress ip(const std::string& text) {
  IpAddress value;
  EXPECT_FALSE(Text<IpAddress>::read({text}, value)) << text;
  return value;
}

}  // namespace rdmastate
