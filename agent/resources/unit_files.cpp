// SPDX-License-Identifier: Apache-2.0
#include "resources/unit_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/sha256.hpp"
#include "platform/layout.hpp"
#include "platform/read_order.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

using Digests = std::map<std::string, std::string>;

const std::string stale;  ///< stands for files that are on the disk no more as they were read

const Digests& files_of(const State& state) { return state.as<UnitFilesState>().holds; }

bool ends_as_unit(std::string_view name) {
  constexpr std::array<std::string_view, 3> types{".service", ".mount", ".automount"};
  return std::any_of(types.begin(), types.end(), [&](std::string_view type) { return name.ends_with(type); });
}

// "slurmd.service" of /etc/systemd/system/slurmd.service and of what is in slurmd.service.d; empty of all else.
std::string unit_of(const std::string& path) {
  const std::string directory = parent_path(path);
  std::string name = path.substr(path.rfind('/') + 1);
  if (directory == common_layout().units) return ends_as_unit(name) ? name : std::string();
  if (parent_path(directory) != common_layout().units || !directory.ends_with(".d")) return {};
  name = directory.substr(directory.rfind('/') + 1, directory.size() - directory.rfind('/') - 3);
  return ends_as_unit(name) ? name : std::string();
}

Digests on_disk(const Snapshot& snapshot, const std::string& unit) {
  Digests found;
  const auto add = [&](const std::string& path) {
    if (const auto text = snapshot.read(path)) found.emplace(path, sha256_hex(*text));
  };
  for (const auto directory : unit_directories) {
    const std::string path = std::string(directory) + "/" + unit;
    add(path);
    for (const auto& name : snapshot.list(path + ".d")) add(path + ".d/" + name);
  }
  return found;
}

// As it will be when the plan's files are written and gone.
Digests after_plan(const Scene& scene, const std::string& unit) {
  Digests files = on_disk(scene.snapshot, unit);
  for (const auto& [path, wanted] : scene.plan.wanted(file_kind)) {
    if (unit_of(path) != unit) continue;
    if (!wanted) {
      files.erase(path);
    } else if (const FileState& file = file_of(*wanted); file.type == FileType::regular && file.content) {
      files.insert_or_assign(path, sha256_hex(file.content->value));
    }
  }
  return files;
}

Observation observe(const Snapshot& snapshot, const std::string& key) {
  const UnitLook* look = snapshot.unit(key);
  if (look == nullptr || (!look->active && !look->needs_reload)) return Absent{};
  if (look->needs_reload) return State(unit_files_kind, UnitFilesState{{{stale, ""}}});
  return State(unit_files_kind, UnitFilesState{on_disk(snapshot, key)});
}

// What does not run is read when it is asked for, unless systemd holds it: that is seen once its files have changed.
Gap gap(const Scene& scene, const std::string& key, const State*, const Observation& observed) {
  const State* present = state_of(observed);
  Gap found;
  if (present == nullptr) return found;
  Digests to = after_plan(scene, key);
  if (to != files_of(*present)) found.move = Gap::Move{*present, State(unit_files_kind, UnitFilesState{std::move(to)})};
  return found;
}

std::vector<Ref> needs(const std::string&, const State*) { return {}; }

void stage(Tools&, const std::string&, const State*) {}

// systemd reads all of them at once: for the next ones nothing is left to do.
void move(Tools& tools, const std::string& key, const State*, const State*) {
  if (tools.host.units == nullptr || !tools.host.units->answers()) return;
  const auto look = tools.host.units->look(key);
  if (look && look->needs_reload) tools.host.units->reload();
}

bool is_back(const State& now, const State& from) {
  return files_of(now) == files_of(from) || files_of(from).contains(stale);
}

std::string copy_of(const std::string& path) { return unit_of(path); }

std::string title(const std::string& key, const State*) { return fmt::format("of {}", key); }

std::string lines(const State* from, const State* to) {
  std::string text;
  const Digests none;
  const Digests& was = from == nullptr ? none : files_of(*from);
  const Digests& becomes = to == nullptr ? none : files_of(*to);
  for (const auto& [path, digest] : was)
    if (!path.empty() && !becomes.contains(path)) text += "-" + path + "\n";
  for (const auto& [path, digest] : becomes)
    if (const auto old = was.find(path); old == was.end() || old->second != digest) text += "+" + path + "\n";
  return text;
}

}  // namespace

constinit const Kind unit_files_kind = [] {
  Kind kind = kind_of<UnitFilesState>("unit_files");
  kind.verbs = {"reload", "reload", "reload"};
  kind.rank = 59;  // before what is started of them
  kind.copies_others = true;
  kind.observe = observe;
  kind.gap = gap;
  kind.needs = needs;
  kind.stage = stage;
  kind.move = move;
  kind.is_back = is_back;
  kind.copy_of = copy_of;
  kind.lines = lines;
  kind.title = title;
  return kind;
}();

State read_unit_files() { return State(unit_files_kind, UnitFilesState{}); }

}  // namespace rdmastate
