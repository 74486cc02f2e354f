// SPDX-License-Identifier: Apache-2.0
#include "resources/ifupdown_file/ifupdown_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/ifupdown.hpp"
#include "platform/layout.hpp"
#include "resources/module.hpp"

namespace rdmastate {
namespace {

// Whether the interface is up and has the addresses of its static stanzas. ifupdown does not tell: it still holds an
// interface that went away with its driver, or came back down.
bool runs(const Snapshot& snapshot, const InterfaceStanzas& stanzas) {
  const Link* link = snapshot.link(stanzas.name);
  if (link == nullptr || !link->up) return false;
  const auto there = snapshot.addresses(link->index);
  return std::all_of(stanzas.addresses.begin(), stanzas.addresses.end(), [&](const IpInterface& asked) {
    return std::any_of(there.begin(), there.end(),
                       [&](const Address& one) { return one.value.address == asked.address; });
  });
}

// Adds what ifupdown and the kernel say of the file's interfaces.
void add_running(const Snapshot& snapshot, IfupdownFileState& state) {
  const auto held = read_ifstate(snapshot.read(std::string(ifstate_path)).value_or(""));
  const auto stanzas = stanzas_of(state);
  if (stanzas.empty()) return;
  const std::string& first = stanzas.front().name;
  state.up = held.contains(first);
  state.applied = *state.up && runs(snapshot, stanzas.front());
  std::set<std::string> others;
  for (const auto& [name, by] : held)
    if (ifupdown_parent(name) == first) others.insert(name);
  for (std::size_t i = 1; i < stanzas.size(); ++i)
    if (held.contains(stanzas[i].name)) others.insert(stanzas[i].name);
  state.others.emplace(others.begin(), others.end());
}

Observation ifupdown_file_observe(const Snapshot& snapshot, const std::string& key) {
  FileObservation seen = observe_file(snapshot, key);
  if (auto* unseen = std::get_if<Unseen>(&seen)) return std::move(*unseen);
  auto* file = std::get_if<FileState>(&seen);
  if (file == nullptr) return Absent{};
  IfupdownFileState state{std::move(*file), {}, {}, {}};
  if (snapshot.has_ifupdown()) add_running(snapshot, state);
  return State(ifupdown_file_kind, std::move(state));
}

// ifup makes a child by its port, so the port's file comes first and goes last.
std::vector<Ref> ifupdown_file_needs(const std::string& key, const State* state) {
  std::vector<Ref> refs = needs_directory(key, state);
  if (state == nullptr) return refs;
  refs.push_back({module_kind.name, "ib_ipoib"});
  for (const auto& one : stanzas_of(file_of(*state)))
    if (const std::string parent = ifupdown_parent(one.name); !parent.empty() && ifupdown_path(parent) != key)
      refs.push_back({ifupdown_file_kind.name, ifupdown_path(parent)});
  return refs;
}

// Undo has succeeded when the file is as before, its interface is held and has its addresses as before, and the other
// interfaces that ifupdown held are held again. A further one that is held now does not matter. Where ifupdown is
// missing now, or was before, the file alone counts.
bool ifupdown_file_is_back(const State& now_state, const State& from_state) {
  const auto& now = now_state.as<IfupdownFileState>();
  const auto& from = from_state.as<IfupdownFileState>();
  if (static_cast<const FileState&>(now) != static_cast<const FileState&>(from)) return false;
  if (!now.up || !from.up) return true;
  const bool others =
      !from.others || std::includes(now.others->begin(), now.others->end(), from.others->begin(), from.others->end());
  return now.up == from.up && others && (*now.applied || !from.applied.value_or(false));
}

std::string ifupdown_file_title(const std::string& key, const State*) { return key; }

FilePlaces ifupdown_file_places() { return whole_files({ifstate_path}); }

}  // namespace

std::string ifupdown_path(std::string interface) {
  std::replace(interface.begin(), interface.end(), '.', '-');
  return fmt::format("{}/rdmastate-{}", common_layout().ifupdown_files, interface);
}

IfupdownFileState wanted_ifupdown_file(std::string content) {
  return {regular_file(std::move(content)), true, true, {}};
}

std::vector<InterfaceStanzas> stanzas_of(const FileState& file) {
  return read_interfaces_text(file.content ? std::string_view(file.content->value) : std::string_view());
}

constinit const Kind ifupdown_file_kind = [] {
  Kind kind = kind_of<IfupdownFileState, FileState>("ifupdown_file");
  kind.durable = true;
  kind.verbs = {"write", "rewrite", "remove"};
  kind.rank = 31;  // when modules have brought the interfaces, and those have their names
  kind.observe = ifupdown_file_observe;
  kind.gap = ifupdown_file_gap;
  kind.needs = ifupdown_file_needs;
  kind.stage = stage_unless_as_wanted;
  kind.move = move_ifupdown_file;
  kind.is_back = ifupdown_file_is_back;
  kind.loses = ifupdown_file_loses;
  kind.still = ifupdown_file_still;
  kind.put_back = ifupdown_file_puts_back;
  kind.lines = file_lines;
  kind.title = ifupdown_file_title;
  kind.places = ifupdown_file_places;
  return kind;
}();

}  // namespace rdmastate
