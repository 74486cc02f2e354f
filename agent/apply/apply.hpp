// SPDX-License-Identifier: Apache-2.0
// Makes a host what a Wish asks for, in rounds, or leaves it as it was. Takes such a run back, or confirms it.
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

/// Functions that are called while an apply, a rollback or a boot goes on. The texts are for people. All but `begun`
/// have to be set.
struct Listener {
  std::function<void(const Plan&)> planned;         ///< the first plan, before anything is moved
  std::function<void(const std::string&)> stepped;  ///< the line of a step that is done, or of several: steps_line()
  std::function<void(const std::string&)> talked;   ///< what else happens: a slow step begins, a failure, an undo
  /// The first round of the run with this id is recorded, and nothing moved yet; may be empty.
  std::function<void(const std::string&)> begun = {};
};

/// Why nothing was begun (ExitCode::busy). Only after another_run it helps to try again later.
enum class Busy : std::uint8_t { another_run, interrupted, awaits_confirmation };
std::string_view to_text(Busy why);

/// How a run, a rollback or a confirmation ended.
struct Outcome {
  ExitCode code = ExitCode::done;
  /// For people: what failed and how to go on; of a rollback and of confirm() also what else there is to say. Empty:
  /// nothing.
  std::string message;
  std::string run;            ///< the run's id, also of the one that `busy` tells of; empty when there is none
  std::size_t moved = 0;      ///< steps that were done and stand; of a rollback: that were taken back
  std::size_t rehearsed = 0;  ///< on a recorded host: steps that the owners of interfaces would do
  /// The items that an apply moved, round by round, as they were planned; without the steps of the ledger.
  std::vector<std::vector<Item>> rounds = {};
  std::int64_t confirm_until = 0;  ///< seconds since the epoch: when an unconfirmed run is taken back; 0: never
  std::optional<Busy> busy = {};   ///< with ExitCode::busy alone
  bool confirmed = false;          ///< confirm() has confirmed the run now, not an earlier one
  Plan last;                       ///< the plan after the last move: what is left; empty of a rollback and confirm()
};

/// Plans and moves, round by round, until nothing is left; takes all back when something fails (failed_restored,
/// failed_dirty). The caller holds the lock. Nothing is moved where an earlier run is open (busy), the plan is refused
/// or needs a timer that the host cannot have (refused), a file that this user may not read may matter (could_not), or
/// there is nothing to do. Throws Error where the host cannot be read or the first plan cannot be made.
Outcome apply(Host& host, const Wish& wish, const Listener& listener);

/// At boot: takes back a run that was interrupted or not confirmed in time, then moves what boot.json says. That is no
/// run: nothing of it is recorded or undone. A step that fails does not keep the others from it (could_not). Hardware
/// that is not there yet is no failure: udev starts rdmastate again when it appears.
Outcome apply_boot(Host& host, const Listener& listener);

/// The wish for what boot.json says: all its resources; none where the host has no boot.json. Throws Error where
/// boot.json is damaged, and so do apply_boot(), release_wish() and lost_by_release().
Wish boot_wish(Host& host);

/// The wish, for apply(), to let go of what rdmastate made for one section of the spec, or for all when `section` is
/// empty: it stays as it is, in files too, and rdmastate no longer changes or removes it, nor makes it at boot.
Wish release_wish(Host& host, const std::string& section);

/// The resources that rdmastate makes at boot now, and no longer after the release_wish() of that section is applied:
/// "soft_device rxe0 (rxe over enp1s0)".
std::vector<std::string> lost_by_release(Host& host, const std::string& section);

/// Takes the newest run back; with `force` also what other programs changed since. Throws Error when there is no run,
/// or the newest was taken back already.
Outcome rollback(Host& host, bool force, const Listener& listener);

/// Takes this run back, also what other programs changed since: the timer of --confirm-within starts it, and nobody is
/// there to ask. A run that is not the newest, was confirmed or was taken back stays as it is, and that is no failure.
Outcome roll_back_unconfirmed(Host& host, const std::string& run, const Listener& listener);

/// Confirms the newest run. `meant`: the id that this run has to have, since another apply may have come since; empty:
/// any. Throws Error for another id, and where there is no run. A second confirmation is no failure. `message` says
/// what came of it.
Outcome confirm(Host& host, const std::string& meant = {});

}  // namespace rdmastate
