// SPDX-License-Identifier: Apache-2.0
// The checks of reliable connections (RC), and their findings: what went well or wrong when messages were sent.
#pragma once

#include <chrono>

#include "doctor/exchange.hpp"
#include "doctor/rc_port.hpp"

namespace rdmastate::doctor {

/// The checks that send messages, or compare ports with a peer's, only where --active or --listen asks for it. `setup`
/// to `bytes_differ` are the kinds of Trouble; the table in rc_findings.cpp says what each check means.
enum class RcCheck : std::uint8_t {
  tried,  ///< all messages arrived
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
/// Its row of that table.
const Check& rc_check(RcCheck check);

/// Between which two ports a connection was tried.
struct RcRoute {
  const RcPort& ours;              ///< of this host
  const RcPort* theirs = nullptr;  ///< of the peer; null: a second queue pair of the same port
  std::string peer{};              ///< its address
  std::uint32_t mtu = 0;           ///< the most bytes of a packet
  std::string ways{};              ///< the addresses at both ends: "LID 3 to LID 4"

  std::string to_whom() const;  ///< "mlx5_0/1 of 192.0.2.2", "itself"
};

/// The finding that all messages arrived. `time`: what they took.
Finding passed(const RcRoute& route, std::chrono::milliseconds time);
/// The finding about a trouble that this host met on the route.
Finding finding_of(const Trouble& trouble, const RcRoute& route);
/// The finding about a trouble that the peer met and told: its subject is our port, its words are about the peer's. The
/// route has a peer.
Finding finding_of_peer(const Trouble& trouble, const RcRoute& route);
/// The finding that no port of this host could be tried. `not_tried`: its ports, each with the reason.
Finding nothing_to_try(const std::vector<Unlooked>& not_tried);

/// How far the checks of reliable connections came.
struct RcLooked {
  bool messages = false;  ///< a connection was tried
  bool peer = false;      ///< a peer said which ports it has
};
/// Completes a diagnosis that has all findings of these checks: adds the ports that were not tried, notes which of
/// these checks looked, and sorts.
void add_rc_checks(const std::vector<Unlooked>& not_tried, RcLooked looked, Diagnosis& to);

}  // namespace rdmastate::doctor
