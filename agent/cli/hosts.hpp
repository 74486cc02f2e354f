// SPDX-License-Identifier: Apache-2.0
// The host that a command works on: this one, an offline tree, or a recorded one.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "host/recorded/recorded.hpp"
#include "sys/live_host.hpp"
#include "sys/run_lock.hpp"
#include "sys/tree_host.hpp"
#include "sys/verbs.hpp"

namespace rdmastate {

/// The host that the options name: this one, a tree (--root) or a record (--host). Owns it; the options must outlive
/// it.
class OpenHost {
 public:
  explicit OpenHost(const Options& options);
  ~OpenHost();
  Host& host() { return *host_; }
  /// Throws Error(refused) in a chroot or an installer's %post, where no tree was named: the kernel there is not that
  /// of the host whose files these are.
  void must_be_this_host() const;
  /// One run at a time, on a host that must_be_this_host(). Throws Error(busy) when another still holds the lock after
  /// `patience`, or after half a minute when it is a run at boot or after an event; a recorded host has none.
  void lock(std::chrono::seconds patience, RunLock::Purpose purpose);
  /// The same, of a run that has no more to do than one that waits already: false when there is one.
  bool lock_in_turn(std::chrono::seconds patience);
  /// The same, of who comes when a deadline has passed: whoever holds the lock after `patience` hangs (in a terminal
  /// that takes no more text, say), and is killed. What he leaves behind is taken back like that of any who died.
  void lock_over(std::chrono::seconds patience);
  /// What only `show` prints, of the live host alone; `trouble` as in read_details().
  std::vector<DeviceDetail> details(const std::vector<std::string>& devices, std::string& trouble) const;
  /// The recorded host as it is now; empty for the others.
  std::string record() const;

 private:
  std::unique_ptr<LiveHost> live_;
  std::unique_ptr<Facts> given_;
  std::unique_ptr<TreeHost> tree_;
  std::unique_ptr<RecordedHost> recorded_;
  std::unique_ptr<Host> host_;
  std::optional<RunLock> lock_;
};

/// A file that was named on the command line, of at most 64 MiB; Error where there is none. `what`: what it should be.
std::string read_json(const std::string& path, std::string_view what);
/// Writes a private file (0600) atomically, for --record.
void write_private_file(const std::string& path, const std::string& text);

}  // namespace rdmastate
