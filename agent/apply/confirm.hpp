// SPDX-License-Identifier: Apache-2.0
// A run that is taken back unless somebody says in time that the host can still be reached.
#pragma once

#include <string>

#include "apply/run.hpp"

namespace rdmastate {

/// The deadline of a run that begins now.
Deadline deadline_in(Host& host, std::int64_t seconds);
/// "2026-01-01 00:01:00 UTC"
std::string utc_text(std::int64_t seconds);

/// Why this host cannot take a run back by itself, as a sentence; empty where it can.
std::string why_not_armed(Host& host);
/// From now on systemd takes this run back at its deadline, whatever becomes of this process and its terminal.
void arm(Host& host, const std::string& run, const Deadline& deadline);
/// The timer is only what wakes somebody up: what he then does stands in the run's record. So that it cannot be taken
/// away is no failure.
void disarm(Host& host, const std::string& run);

/// Whether it is too late to confirm: its time is over, or its boot is.
bool is_overdue(Host& host, const RunRecord& run, const std::string& boot_id);
/// "run 000007 awaits confirmation until ...: `rdmastate confirm` keeps it, ..."
std::string awaiting_text(const RunRecord& run);

}  // namespace rdmastate
