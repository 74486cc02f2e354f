// SPDX-License-Identifier: Apache-2.0
// `doctor --active`: sends messages over a reliable connection between two queue pairs of one port, for each ACTIVE
// port.
#pragma once

#include <chrono>

#include "doctor/rc_findings.hpp"
#include "host/clock.hpp"

namespace rdmastate::doctor {

/// Which ports are to be tried, and for how long.
struct ActiveWish {
  std::vector<std::string> devices{};        ///< "mlx5_0" or "mlx5_0/1"; none: all
  std::chrono::milliseconds patience{5000};  ///< for the messages of one port
};

/// What messages are sent with. No kind of resource needs it, so it is no part of Host; a recorded host has none.
struct Sender {
  QueuePairs& queue_pairs;
  Clock& clock;
};

/// Sends messages between two queue pairs of each port that is ACTIVE. Adds to the diagnosis one finding per port, and
/// each port that was not tried as unseen, with its reason. Where no port was tried, that is a finding, too. A queue
/// pair that cannot be made is a finding and not thrown.
void try_ports(const Sender& sender, const Snapshot& snapshot, const Facts& facts, const ActiveWish& wish,
               Diagnosis& to);

}  // namespace rdmastate::doctor
