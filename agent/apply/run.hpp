// SPDX-License-Identifier: Apache-2.0
// One apply's durable record: every old and new state, written before the first effect.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/host.hpp"
#include "resources/step.hpp"

namespace rdmastate {

/// One step as it was recorded.
using RunStep = Step;

/// How far a run got, as its progress file says it.
enum class RunEnd : std::uint8_t {
  unfinished,  ///< killed, or power was cut, in the apply or in its rollback: rollback is due
  half_back,   ///< the same in a rollback that leaves what others changed since
  finished,
  undone,       ///< it failed and was taken back at once
  rolled_back,  ///< somebody took it back later
};

/// What stands in a run's directory.
struct RunRecord {
  std::string id;
  std::string boot_id;         ///< of the boot it ran in: after a reboot its volatile steps are undone by themselves
  std::vector<RunStep> steps;  ///< of all rounds, in order
  RunEnd end = RunEnd::unfinished;
};

/// Writes one run. Its directory is 0700 and its files 0600: they hold whole old files.
class RunWriter {
 public:
  /// Makes /var/lib/rdmastate/runs/NNNNNN, one more than the newest, and removes all but the newest 20.
  RunWriter(Host& host, std::string boot_id);

  const std::string& id() const { return id_; }
  /// Makes one round's steps durable. Nothing may be moved before this returns.
  void record_round(const std::vector<RunStep>& steps);
  /// A hint for people: recovery observes every key by itself.
  void note(const std::string& line);
  void end(RunEnd how);

 private:
  Host& host_;
  std::string id_;
  std::string boot_id_;
  std::string directory_;
  std::size_t rounds_ = 0;
};

/// The newest run, or nullopt when there is none. Throws Error naming the file when a record is damaged.
std::optional<RunRecord> newest_run(Host& host);
/// Whether a run of this end stands half done on its host, and `rollback` brings it back.
inline bool awaits_rollback(RunEnd end) { return end == RunEnd::unfinished || end == RunEnd::half_back; }

/// Notes in the progress file of a finished run, durably and before anything moves, that it is being taken back: whoever
/// dies in between leaves a run that awaits rollback. `whole`: nothing of it was changed by others since.
void mark_rolling_back(Host& host, const std::string& id, bool whole);
/// Notes in a run's progress file that it was rolled back.
void mark_rolled_back(Host& host, const std::string& id);

}  // namespace rdmastate
