// SPDX-License-Identifier: Apache-2.0
// One apply's durable record: the old and new state of every step, written before its round moves anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "resources/step.hpp"

namespace rdmastate {

/// One step as it was recorded.
using RunStep = Step;

/// Whether the step is shown and counted: not one of the ledger or of the applied spec, nor one that leads_nowhere().
/// So plan, apply and history count the same.
bool is_told(const RunStep& step);

/// How far a run got, as its progress file says it.
enum class RunEnd : std::uint8_t {
  unfinished,  ///< killed, or power was cut, in the apply or in its rollback: rollback is due
  half_back,   ///< a rollback that leaves what others had changed was interrupted: rollback is due, and leaves the same
  finished,
  awaiting,  ///< finished, and taken back unless the user confirms it in time
  confirmed,
  undone,       ///< it failed and was taken back at once
  rolled_back,  ///< a rollback took it back later
};

/// Until when a run has to be confirmed. `ticks` decides, within the boot of the run; `until` is only for people, since
/// the time of day may be set meanwhile.
struct Deadline {
  std::int64_t seconds = 0;  ///< as was asked for
  std::int64_t ticks = 0;    ///< of Clock::ticks(), in milliseconds
  std::int64_t until = 0;    ///< seconds since the epoch
};

/// What is recorded of a run beside its steps.
struct RunHead {
  std::string boot_id;  ///< of the boot it ran in: after a reboot its volatile steps are undone by themselves
  std::string spec;     ///< the id that the spec has, for people; empty: not known
  std::optional<Deadline> deadline;  ///< of --confirm-within; nullopt: nobody has to confirm the run
};

/// What stands in a run's directory.
struct RunRecord : RunHead {
  std::string id;              ///< the directory's name: six digits, "000007"
  std::int64_t begun = 0;      ///< seconds since the epoch, for people; 0: not known
  std::vector<RunStep> steps;  ///< of all rounds, in order
  std::size_t rehearsed = 0;   ///< how many of them, at the end, are steps of Whose::owners
  RunEnd end = RunEnd::unfinished;
  /// finished, awaiting or confirmed: how the run stood before a rollback began. A rollback that leaves what others
  /// changed writes this again as the run's end.
  RunEnd stood = RunEnd::finished;
  std::vector<Ref> left_alone;  ///< what the rollback of half_back leaves: others had changed it when it began
  std::string trouble;          ///< of all_runs() alone: why the record cannot be read; empty: it was read

  /// How many of the run's own steps people are told of: as many as apply said it did.
  std::size_t count_told() const;
  /// Whether it is half done or awaits confirmation: no other run may begin.
  bool is_open() const;
  /// Whether it was interrupted, so that `rollback` has to bring back what was.
  bool is_half_done() const { return end == RunEnd::unfinished || end == RunEnd::half_back; }
};

/// Whose steps a round has.
enum class Whose : std::uint8_t {
  ours,    ///< the run's
  owners,  ///< on a recorded host, where no network manager runs: what it would do next, which apply does in its place
};

/// Writes one run. Its directory is 0700 and its files 0600: they hold whole old files.
class RunWriter {
 public:
  /// Makes /var/lib/rdmastate/runs/NNNNNN, one more than the newest, and removes all but the newest 20.
  RunWriter(Host& host, RunHead head);

  const std::string& id() const { return id_; }
  /// Makes one round's steps durable. Nothing may be moved before this returns.
  void record_round(const std::vector<RunStep>& steps, Whose whose = Whose::ours);
  /// Adds a line for people to the progress file, not synced: recovery does not need these lines, since it observes
  /// every key.
  void note(const std::string& line);
  /// Notes in the progress file, durably, how the run ended.
  void end(RunEnd how);
  /// Removes the record of this run, which has ended, and the directories above it, below /var/lib, that are then
  /// empty: `apply --bake` leaves no run in an image. Nothing can be rolled back afterwards. When rdmastate dies in
  /// between, the run reads as undone and does not stop the next apply.
  void forget();

 private:
  Host& host_;
  std::string id_;
  RunHead head_;
  std::string directory_;
  std::size_t rounds_ = 0;
};

/// The newest run, or nullopt when there is none. Throws Error naming the file when a record is damaged.
std::optional<RunRecord> newest_run(Host& host);
/// All runs, newest first; a damaged one has its `trouble` instead of throwing.
std::vector<RunRecord> all_runs(Host& host);
/// Notes in a run's progress file, durably, how it ended after all.
void mark(Host& host, const std::string& id, RunEnd how);
/// Notes in the progress file of a run that stands, durably and before anything moves, that it is being taken back:
/// when rdmastate dies in between, the next rollback goes on and leaves `left_alone` as it is.
void mark_rolling_back(Host& host, const std::string& id, const std::vector<Ref>& left_alone);

}  // namespace rdmastate
