// SPDX-License-Identifier: Apache-2.0
// Kind `rdma_system`: whether the host's network namespaces share the RDMA devices (`rdma system`). Key: "netns". Twin:
// ib_core's option in modprobe.d.
#pragma once

#include "host/rdma.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

struct RdmaSystemState {
  NetnsMode netns = NetnsMode::shared;
  bool operator==(const RdmaSystemState&) const = default;
};

template <>
struct Fields<RdmaSystemState> {
  static constexpr std::string_view name = "rdma_system";
  static constexpr std::string_view doc = "Settings of RDMA for the whole host.";
  static constexpr auto table = Table{
      Field{"netns", &RdmaSystemState::netns, "Which network namespaces see a device.", {.required = true}},
  };
};

extern const Kind rdma_system_kind;

}  // namespace rdmastate
