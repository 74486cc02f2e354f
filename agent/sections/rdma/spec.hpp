// SPDX-License-Identifier: Apache-2.0
// Section `rdma`: what RDMA does for the whole host.
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
  static constexpr std::string_view doc = "What RDMA does for the whole host.";
  static constexpr auto table = Table{
      Field{
          "netns",
          &RdmaSection::netns,
          "shared: every network namespace sees every RDMA device. exclusive: a device is in one. The kernel changes it only while there is no other network namespace, otherwise at the next boot.",
          {.example = "exclusive"}},
  };
};

}  // namespace rdmastate
