// SPDX-License-Identifier: Apache-2.0
// Kind `nfs_threads`: how many threads of the kernel serve NFS, while the server runs. Key: the server's unit. Twin:
// the server's configuration, and its unit where the spec starts it.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct NfsThreadsState {
  std::uint32_t count = 0;
  bool operator==(const NfsThreadsState&) const = default;
};

template <>
struct Fields<NfsThreadsState> {
  static constexpr std::string_view name = "nfs_threads";
  static constexpr std::string_view doc = "How many threads of the kernel serve NFS.";
  static constexpr auto table = Table{
      Field{"count", &NfsThreadsState::count, "How many, of all pools together.", {.required = true}},
  };
};

extern const Kind nfs_threads_kind;

/// The wanted state of a server with so many threads.
State nfs_threads(std::uint32_t count);

}  // namespace rdmastate
