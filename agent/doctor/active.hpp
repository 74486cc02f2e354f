// SPDX-License-Identifier: Apache-2.0
// Tries reliable connections where that was asked for: on each port alone.
#pragma once

#include <chrono>

#include "doctor/rc_findings.hpp"
#include "host/clock.hpp"

namespace rdmastate::doctor {

/// What is to be tried.
struct ActiveWish {
  std::vector<std::string> devices{};        ///< "mlx5_0" or "mlx5_0/1"; none: all
  std::chrono::milliseconds patience{5000};  ///< for the messages of one port
};

/// What messages are sent with. No kind of resource needs it, so it is no part of Host; a recorded host has none.
struct Sender {
  QueuePairs& queue_pairs;
  Clock& clock;
};

/// Sends messages between two queue pairs of each port that is ACTIVE, and adds what came of it to the diagnosis.
void try_ports(const Sender& sender, const Snapshot& snapshot, const Facts& facts, const ActiveWish& wish,
               Diagnosis& to);

}  // namespace rdmastate::doctor
