// SPDX-License-Identifier: Apache-2.0
// Makes a host what is wanted of it, in rounds, or leaves it as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "plan/planner.hpp"

namespace rdmastate {

/// Who wants to know how it goes. Lines are for people.
struct Listener {
  std::function<void(const Plan&)> planned;         ///< the first plan, before anything is moved
  std::function<void(const std::string&)> stepped;  ///< one finished step
  std::function<void(const std::string&)> talked;   ///< what else happens: rounds, undo
  /// A run of this id is about to be recorded; may be empty.
  std::function<void(const std::string&)> begun = {};
};

/// Why nothing was begun (ExitCode::busy): only the first is worth another try by itself.
enum class Busy : std::uint8_t { another_run, interrupted, awaits_confirmation };
std::string_view to_text(Busy why);

/// How a run, a rollback or a confirmation ended.
struct Outcome {
  ExitCode code = ExitCode::done;
  std::string message;        ///< what failed, and how to go on; empty when all is well (but for confirm())
  std::string run;            ///< the run's id; empty when nothing was moved
  std::size_t moved = 0;      ///< steps that were done and stand
  std::size_t rehearsed = 0;  ///< on a recorded host: what its owners would move
  /// Those of an apply, round by round and as they were planned; the ledger's own is not told.
  std::vector<std::vector<Item>> rounds = {};
  std::int64_t confirm_until = 0;  ///< it is taken back unless it is confirmed by then (seconds since the epoch)
  std::optional<Busy> busy = {};
  bool confirmed = false;  ///< of confirm(): the run awaited it until now
  Plan last;               ///< the plan after the last move: what is left
};

/// Applies. The caller holds the lock. A refused plan, an unfinished earlier run and an empty plan move nothing.
Outcome apply(Host& host, const Wish& wish, const Listener& listener);

/// At boot: moves what boot.json says, without a record and without undo; what cannot be moved does not keep the rest
/// from it. First recovers an unfinished run. Hardware that is not there yet is no failure: udev calls again.
Outcome apply_boot(Host& host, const Listener& listener);

/// What boot.json asks of a host; nothing when there is none.
Wish boot_wish(Host& host);

/// Lets go of what rdmastate made for one section of the spec, or of all of it when `section` is empty: it stays as it
/// is now, in files too, and is no more brought back by rdmastate at boot, changed or removed. For apply().
Wish release_wish(Host& host, const std::string& section);

/// What boot.json makes at boot now and does not any more after that release: "soft_device rxe0 (rxe over enp1s0)".
std::vector<std::string> lost_by_release(Host& host, const std::string& section);

/// Takes the newest run back. Throws Error when there is none to take back.
Outcome rollback(Host& host, bool force, const Listener& listener);

/// Takes this run back, whatever somebody else changed of it since, unless it was confirmed or taken back already: what
/// the timer of --confirm-within starts, with nobody there to ask.
Outcome roll_back_unconfirmed(Host& host, const std::string& run, const Listener& listener);

/// Says that the newest run may stay; `meant`: that it is this one, where somebody else may have applied since. Nothing
/// is wrong with saying it twice; `message` is what came of it.
Outcome confirm(Host& host, const std::string& meant = {});

}  // namespace rdmastate
