// SPDX-License-Identifier: Apache-2.0
// Section `rdma`: settings of the kernel's RDMA subsystem for the whole host, such as the network namespace mode.
#pragma once

#include "base/fields.hpp"
#include "host/rdma.hpp"

namespace rdmastate {

struct RdmaSection {
  std::optional<NetnsMode> netns;
};

template <>
struct Fields<RdmaSection> {
  static constexpr std::string_view name = "rdma";
  static constexpr std::string_view doc = "Settings of RDMA for the whole host.";
  static constexpr auto table = Table{
      Field{
          "netns",
          &RdmaSection::netns,
          "shared: every network namespace sees every RDMA device. exclusive: each device is in one namespace. The kernel allows the change only while there is no other network namespace; otherwise it comes with the next boot.",
          {.example = "exclusive"}},
  };
};

}  // namespace rdmastate
