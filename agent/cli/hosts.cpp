// SPDX-License-Identifier: Apache-2.0
#include "cli/hosts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "host/given_facts.hpp"
#include "sys/changed_root.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t most_bytes_of_a_file = 64U << 20U;
constexpr std::chrono::seconds longest_boot_run{30};  // a run at boot, or after an event, is over by then
constexpr std::chrono::seconds between_holders{2};    // who took the lock has written its process id by then

std::string absolute(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

}  // namespace

std::string read_named_file(const std::string& path, std::string_view what) {
  LiveHost live;
  auto bytes = live.files.read(absolute(path), most_bytes_of_a_file);
  if (!bytes && std::filesystem::is_directory(path))
    throw Error(fmt::format("{} is a directory, not a {}", path, what));
  if (!bytes) throw Error(fmt::format("there is no {} {}", what, path));
  return std::move(*bytes);
}

namespace {

RecordedHost open_record(const std::string& path) {
  return RecordedHost::from_json(read_named_file(path, "recorded host"), path);
}

// `--root /` is meant in a chroot, and with --bake. On a running host it is a mistake, such as an empty variable in
// `--root $DIR/`.
void must_be_a_tree(const Options& options) {
  if (options.bake || options.root.find_first_not_of('/') != std::string::npos || !is_running_root()) return;
  throw Error(
      fmt::format("a tree's directory is expected, got '{}': to configure this host leave --root out, and where it "
                  "becomes an image say --bake",
                  options.root));
}

}  // namespace

OpenHost::OpenHost(const Options& options) {
  if (!options.host.empty()) {
    recorded_ = std::make_unique<RecordedHost>(open_record(options.host));
    host_ = std::make_unique<Host>(recorded_->host());
    host_->is_rehearsal = true;
  } else if (!options.root.empty()) {
    must_be_a_tree(options);
    tree_ = std::make_unique<TreeHost>(options.root);
    host_ = std::make_unique<Host>(tree_->host);
    if (options.facts.empty()) return;
    given_ = std::make_unique<Facts>(read_given_facts(read_named_file(options.facts, "file of facts"), options.facts));
    host_->given = given_.get();
    host_->description += ", facts of " + options.facts;
  } else {
    live_ = std::make_unique<LiveHost>();
    host_ = std::make_unique<Host>(live_->host);
  }
}

OpenHost::~OpenHost() = default;

void OpenHost::must_be_this_host() const {
  const std::string why = live_ ? why_changed_root() : "";
  if (why.empty()) return;
  throw Error(fmt::format("this is taken for a chroot, since {}: what the kernel has here is another host's. To set up "
                          "the files of this tree, for its next boot, write --root /",
                          why),
              ExitCode::refused);
}

void OpenHost::lock(std::chrono::seconds patience, RunLock::Purpose purpose) {
  if (recorded_) return;
  must_be_this_host();
  constexpr std::chrono::milliseconds pause{50};
  const Root& root = live_ ? live_->root : tree_->root;
  const auto start = host_->clock.ticks();
  // A run at boot or after an event is soon over, so even a caller without patience waits for it. A process that took
  // the lock this moment has not yet written who it is.
  const auto waits = [&] {
    const auto waited = host_->clock.ticks() - start;
    if (waited < patience) return true;
    const auto holder = RunLock::holder(root);
    if (holder.process.empty()) return waited < between_holders;
    return waited < longest_boot_run && holder.purpose == RunLock::Purpose::boot;
  };
  while (!(lock_ = RunLock::try_acquire(root, purpose)) && waits()) host_->clock.sleep(pause);
  if (lock_) return;
  const std::string holder = RunLock::holder(root).process;
  throw Error(fmt::format("another rdmastate is at work{}: wait for it to end",
                          holder.empty() ? "" : " (process " + holder + ")"),
              ExitCode::busy);
}

// The run in the one place of the queue leaves it only when it holds the lock, and looks at the host after that. So it
// sees all that happened before this run found the place taken, and this one has nothing left to do.
bool OpenHost::lock_in_turn(std::chrono::seconds patience) {
  std::optional<RunLock> place;
  if (live_ && !(place = RunLock::try_queue(live_->root))) return false;
  lock(patience, RunLock::Purpose::boot);
  return true;
}

void OpenHost::lock_over(std::chrono::seconds patience) {
  try {
    return lock(patience, RunLock::Purpose::person);
  } catch (const Error& error) {
    if (error.code() != ExitCode::busy || !live_) throw;
  }
  RunLock::end_holder(live_->root);
  lock(patience, RunLock::Purpose::person);
}

std::vector<DeviceDetail> OpenHost::details(const std::vector<std::string>& devices, std::string& trouble) const {
  return live_ ? read_details(live_->root, devices, trouble) : std::vector<DeviceDetail>();
}

std::string OpenHost::record() const { return recorded_ ? recorded_->to_json() : std::string(); }

void write_private_file(const std::string& path, const std::string& text) {
  constexpr std::uint32_t private_file = 0600;
  LiveHost live;
  FileContent file;
  file.meta = {FileType::regular, private_file, ::geteuid(), ::getegid()};
  file.bytes = text;
  live.files.replace(absolute(path), file);
}

}  // namespace rdmastate
