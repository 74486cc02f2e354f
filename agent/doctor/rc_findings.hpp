// SPDX-License-Identifier: Apache-2.0
// What doctor says of reliable connections that it tried.
#pragma once

#include <chrono>

#include "doctor/exchange.hpp"
#include "doctor/rc_port.hpp"

namespace rdmastate::doctor {

/// The checks that send something. They look only where they were asked to (--active, --listen).
enum class RcCheck : std::uint8_t {
  tried,
  nothing_to_try,
  setup,
  no_answer,
  large_lost,
  failed,
  bytes_differ,
  mtu_differs,
  roce_differs,
  partition_differs,
  no_counterpart,
  broke_off,
};
const Check& rc_check(RcCheck check);

/// Between which two ports a connection was tried.
struct RcRoute {
  const RcPort& ours;
  const RcPort* theirs = nullptr;  ///< of the peer; null: a second queue pair of the same port
  std::string peer{};              ///< its address
  std::uint32_t mtu = 0;           ///< the most bytes of a packet
  std::string ways{};              ///< the addresses at both ends: "LID 3 to LID 4"

  std::string to_whom() const;  ///< "mlx5_0/1 of 192.0.2.2", "itself"
};

/// Everything went and came back.
Finding passed(const RcRoute& route, std::chrono::milliseconds time);
/// Something did not, as this host met it.
Finding finding_of(const Trouble& trouble, const RcRoute& route);
/// Something did not, as the peer met it and said: what is wrong is told of the peer's port, about ours. The route has
/// a peer.
Finding finding_of_peer(const Trouble& trouble, const RcRoute& route);
/// No port of this host could be tried.
Finding nothing_to_try(const std::vector<Unlooked>& not_tried);

/// What was looked at.
struct RcLooked {
  bool messages = false;  ///< a connection was tried
  bool peer = false;      ///< a peer said which ports it has
};
/// Adds what was not tried to a diagnosis that has all findings now, and these checks, as far as they looked, to those
/// that did.
void add_rc_checks(const std::vector<Unlooked>& not_tried, RcLooked looked, Diagnosis& to);

}  // namespace rdmastate::doctor
