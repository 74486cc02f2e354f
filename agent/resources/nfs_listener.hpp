// SPDX-License-Identifier: Apache-2.0
// Kind `nfs_listener`: the kernel's NFS server takes requests by a transport on a port. Key: as nfsd's portlist prints
// it, "rdma 20049". Twin: the server's configuration, and its unit where the spec starts it.
#pragma once

#include "host/nfsd.hpp"
#include "resources/kind.hpp"

namespace rdmastate {

struct NfsListenerState {
  std::string transport;  ///< as nfsd's portlist prints it: "rdma", "tcp"
  std::uint32_t port = 0;
  bool operator==(const NfsListenerState&) const = default;
};

template <>
struct Fields<NfsListenerState> {
  static constexpr std::string_view name = "nfs_listener";
  static constexpr std::string_view doc = "A transport and port on which the kernel's NFS server takes requests.";
  static constexpr auto table = Table{
      Field{"transport", &NfsListenerState::transport, "The transport.", {.required = true, .identity = true}},
      Field{"port", &NfsListenerState::port, "The port, in IPv4 and IPv6.", {.required = true, .identity = true}},
  };
};

extern const Kind nfs_listener_kind;

/// The wanted state of the listener for RDMA on this port.
State rdma_listener(std::uint32_t port);
/// The key of rdma_listener(port): "rdma 20049".
std::string rdma_listener_key(std::uint32_t port);

}  // namespace rdmastate
