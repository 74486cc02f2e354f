// SPDX-License-Identifier: Apache-2.0
// --confirm-within: the deadline of a run, and the timer that takes the run back unless the user confirms in time that
// the host can still be reached.
#pragma once

#include <string>

#include "apply/run.hpp"

namespace rdmastate {

/// The deadline of a run that begins now and has to be confirmed within `seconds`.
Deadline deadline_in(Host& host, std::int64_t seconds);
/// "2026-01-01 00:01:00 UTC". `seconds`: since the epoch.
std::string utc_text(std::int64_t seconds);

/// Why this host cannot take a run back by itself, as a sentence; empty where it can.
std::string why_not_armed(Host& host);
/// Makes systemd take this run back at its deadline, whatever becomes of this process and its terminal. Throws Error
/// where systemd refuses. Call it only where why_not_armed() returns an empty text.
void arm(Host& host, const std::string& run, const Deadline& deadline);
/// Removes the timer of this run. A failure is ignored: the rollback that the timer starts reads the run's record, and
/// does nothing where the run was confirmed or taken back.
void disarm(Host& host, const std::string& run);

/// Whether it is too late to confirm: the deadline is over, or the host has booted since. `boot_id`: of the present
/// boot.
bool is_overdue(Host& host, const RunRecord& run, const std::string& boot_id);
/// "run 000007 awaits confirmation until ...: `rdmastate confirm` keeps it, ..."
std::string awaiting_text(const RunRecord& run);

}  // namespace rdmastate
