// SPDX-License-Identifier: Apache-2.0
// The command leave, which a package's script calls before the program is removed: it refuses while a run is open, says
// what the next boot will not have, and removes the links that enable our units, so that none dangles.
#include <fmt/format.h>

#include "apply/apply.hpp"
#include "apply/confirm.hpp"
#include "cli/commands.hpp"
#include "cli/hosts.hpp"
#include "cli/output.hpp"
#include "sys/changed_root.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view enabled = "/etc/systemd/system";
constexpr std::string_view ours = "rdmastate";

// Refuses while a run is open: without the program nothing would take that run back.
void refuse_open_run(Host& host) {
  const auto run = newest_run(host);
  if (!run || !run->is_open()) return;
  throw Error(run->end == RunEnd::awaiting
                  ? awaiting_text(*run)
                  : fmt::format("run {} was interrupted: `rdmastate rollback` takes it back", run->id),
              ExitCode::busy);
}

// The links that enable units of the package, whoever made them: the units are about to go.
std::vector<std::string> enabling_links(Host& host) {
  std::vector<std::string> links;
  for (const auto& name : host.files.list(std::string(enabled))) {
    if (!name.ends_with(".wants") && !name.ends_with(".requires")) continue;
    const std::string directory = fmt::format("{}/{}", enabled, name);
    for (const auto& unit : host.files.list(directory)) {
      const std::string path = fmt::format("{}/{}", directory, unit);
      const auto meta = unit.starts_with(ours) ? host.files.meta(path) : std::nullopt;
      if (meta && meta->type == FileType::symlink) links.push_back(path);
    }
  }
  return links;
}

void remove_links(Host& host) {
  const auto links = enabling_links(host);
  for (const auto& link : links) {
    host.files.remove(link);
    talk("removed " + printable(link));
  }
  if (!links.empty()) host.files.sync_directories();
}

}  // namespace

ExitCode run_leave(const Options& options) {
  Options adjusted = options;
  if (adjusted.root.empty() && !why_changed_root().empty())
    adjusted.root = "/";  // a chroot is a tree: its files alone are touched
  OpenHost open(adjusted);
  open.lock(/*patience=*/std::chrono::seconds(0), RunLock::Purpose::person);
  refuse_open_run(open.host());
  for (const auto& one : lost_by_release(open.host(), /*section=*/""))  // "": of all sections
    talk("not there after the next boot, unless another program makes it: " + printable(one));
  remove_links(open.host());
  return ExitCode::done;
}

}  // namespace rdmastate
