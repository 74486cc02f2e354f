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

/// The host that the options name: this one, a tree (--root) or a record (--host). Owns it.
class OpenHost {
 public:
  /// Throws Error where the tree, the record or the file of --facts cannot be read, and for `--root /` on a host that
  /// runs (it is taken in a chroot, and with --bake).
  explicit OpenHost(const Options& options);
  ~OpenHost();
  Host& host() { return *host_; }
  /// Throws Error(refused) in a chroot or an installer's %post, where no tree was named: the kernel there is not that
  /// of the host whose files these are.
  void must_be_this_host() const;
  /// Calls must_be_this_host(), then takes the lock that lets one run at a time work on the host; this object holds it.
  /// Throws Error(busy) where another process still holds it after the longest of: `patience`; half a minute where the
  /// holder is `apply --boot`; two seconds where the holder is not known. A recorded host has no lock. `purpose`: what
  /// other processes are told of this holder.
  void lock(std::chrono::seconds patience, RunLock::Purpose purpose);
  /// Releases the lock that lock() took.
  void unlock() { lock_.reset(); }
  /// The same for a run that an event asked for. False, and no lock: another such run waits already, and will see all
  /// that this one would.
  bool lock_in_turn(std::chrono::seconds patience);
  /// The same for `rollback --unconfirmed`, after a deadline has passed: a process that still holds the lock of the
  /// live host after `patience` hangs (in a terminal that takes no more text, say), and is killed. Its run is then
  /// taken back like every interrupted run.
  void lock_over(std::chrono::seconds patience);
  /// Details of these RDMA devices, which only `show` prints; empty unless this is the live host. `trouble` becomes the
  /// reason where libibverbs could not tell its part of them.
  std::vector<DeviceDetail> details(const std::vector<std::string>& devices, std::string& trouble) const;
  /// The recorded host as it is now, as JSON; empty for the others.
  std::string record() const;

 private:
  // One of live_, tree_ and recorded_ is set, and *host_ refers to it. given_: the facts of --facts, with a tree alone.
  std::unique_ptr<LiveHost> live_;
  std::unique_ptr<Facts> given_;
  std::unique_ptr<TreeHost> tree_;
  std::unique_ptr<RecordedHost> recorded_;
  std::unique_ptr<Host> host_;
  std::optional<RunLock> lock_;
};

/// The bytes of a file that was named on the command line. Throws Error where there is none, it cannot be read, or it
/// has more than 64 MiB. `what`: what it should be, for the message.
std::string read_named_file(const std::string& path, std::string_view what);
/// Writes a file (0600) of this user's atomically, for --record and --out. Throws Error where it cannot be written.
void write_private_file(const std::string& path, const std::string& text);

}  // namespace rdmastate
