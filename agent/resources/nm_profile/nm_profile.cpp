// SPDX-License-Identifier: Apache-2.0
// A move writes the file, makes NetworkManager load it, and then makes the interface run it. A file that goes is
// removed first, and NetworkManager then drops the profile. Where NetworkManager does not run, only the file is moved.
#include "resources/nm_profile/nm_profile.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/ini.hpp"
#include "host/recorded/model.hpp"
#include "platform/layout.hpp"
#include "resources/bond/bond.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/link_table.hpp"
#include "resources/module.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t private_file = 0600;

bool lacks_carrier(const Snapshot& snapshot, const NmProfileState& state) {
  const Link* link = snapshot.link(read_nm_profile(state).interface);
  return link != nullptr && link->up && !link->carrier && needs_carrier(ini::File(ini::keyfile, state.content->value));
}

// Sets the fields that tell what NetworkManager has made of the file.
void add_loaded(const Snapshot& snapshot, const NmState& nm, const std::string& path, NmProfileState& state) {
  const NmProfileText text = read_nm_profile(state);
  const NmProfile* profile = nm.from_file(path);
  state.loaded = profile != nullptr && !profile->unsaved && profile->digest == text.digest;
  const NmDevice* device = nm.device(text.interface);
  state.active =
      device != nullptr ? device->uuid : std::string(lacks_carrier(snapshot, state) ? no_carrier : no_profile);
  state.applied =
      device != nullptr && profile != nullptr && device->uuid == profile->uuid && device->digest == text.digest;
}

Observation nm_profile_observe(const Snapshot& snapshot, const std::string& key) {
  FileObservation seen = observe_file(snapshot, key);
  if (auto* unseen = std::get_if<Unseen>(&seen)) return std::move(*unseen);
  auto* file = std::get_if<FileState>(&seen);
  if (file == nullptr) return Absent{};
  NmProfileState state{std::move(*file), /*loaded=*/{}, /*active=*/{}, /*applied=*/{}};
  if (const NmState* nm = snapshot.networkmanager()) add_loaded(snapshot, *nm, key, state);
  return State(nm_profile_kind, std::move(state));
}

std::vector<Ref> nm_profile_needs(const std::string& key, const State* state) {
  std::vector<Ref> refs = needs_directory(key, state);
  if (state == nullptr) return refs;
  const NmProfileText text = read_nm_profile(file_of(*state));
  refs.push_back({module_kind.name, "ib_ipoib"});
  for (const std::string& before : {text.parent, text.bond})
    if (!before.empty())
      refs.push_back({nm_profile_kind.name, fmt::format("{}/{}.nmconnection", parent_path(key), before)});
  return refs;
}

bool is_made_by(const NmProfileText& text, const Link& link, std::span<const Link> ports) {
  if (text.is_bond()) return is_bond_of_ipoib(link, ports);
  return link.is_child() && link.ipoib && std::to_string(link.ipoib->pkey.value) == text.pkey;
}

// Whether the interface may be what the profile made: nobody else's profile ran there, and none does now.
bool may_have_made(const NmProfileState& from, const NmProfileText& text, const NmDevice* device) {
  const bool ran_here = !from.active || *from.active == text.uuid || *from.active == no_carrier;
  return ran_here && (device == nullptr || device->uuid == text.uuid);
}

// NetworkManager removes the children and bonds that it made itself, but forgets across its own restart which those
// are: one that is still there after 2 s is removed here.
void remove_made(Tools& tools, const NmProfileText& text) {
  using namespace std::chrono_literals;
  constexpr auto patience = 2s;
  constexpr auto pause = 50ms;
  Links& links = *tools.host.links;
  const auto until = tools.host.clock.ticks() + patience;
  auto link = links.find(text.interface);
  for (; link && tools.host.clock.ticks() < until; link = links.find(text.interface)) tools.host.clock.sleep(pause);
  tools.links.forget();
  if (link && is_made_by(text, *link, tools.links.ports_of(link->index))) links.remove(*link);
}

// NetworkManager takes a profile that is gone off its interface, unless the same profile stands in another file too.
void remove(Tools& tools, const std::string& key, const NmProfileState& from) {
  const NmProfileText text = read_nm_profile(from);
  tools.host.files.remove(key);
  if (!from.loaded) return;
  NetworkManager& nm = *tools.host.networkmanager;
  nm.load(key);
  tools.links.forget();
  const auto state = nm.look();
  if (!state || state->profile(text.uuid) != nullptr) return;
  const NmDevice* device = state->device(text.interface);
  const bool made_it = (!text.parent.empty() || text.is_bond()) && may_have_made(from, text, device);
  if (device != nullptr && device->uuid == text.uuid) nm.deactivate(text.interface);
  if (made_it) remove_made(tools, text);
}

// Whether NetworkManager does not have the profile yet. In undo the foreign profile that rdmastate's replaced may still
// have to come back, by a step of its own.
bool is_to_come(NetworkManager& nm, const std::string& uuid) {
  const auto state = nm.look();
  return !state || state->profile(uuid) == nullptr;
}

// Undo, of a profile that waited for a carrier: where NetworkManager has activated it since, it runs what the file says
// again, or waits again.
void back_to_waiting(Tools& tools, const NmProfileState* from, const NmProfileText& text) {
  if (from == nullptr || from->active != text.uuid) return;
  const auto link = tools.host.links->find(text.interface);
  if (link && link->carrier)
    tools.host.networkmanager->activate(text.uuid, text.interface);
  else
    tools.host.networkmanager->deactivate(text.interface);
}

// Makes the interface run the profile that `to` says, or none: by Device.Reapply where that is enough.
void activate(Tools& tools, const NmProfileState* from, const NmProfileState& to) {
  NetworkManager& nm = *tools.host.networkmanager;
  const NmProfileText text = read_nm_profile(to);
  if (*to.active == no_profile) {
    if (from != nullptr && from->active != to.active) nm.deactivate(text.interface);
    return;
  }
  if (*to.active == no_carrier) return back_to_waiting(tools, from, text);
  if (*to.active != text.uuid && is_to_come(nm, *to.active)) return;
  if (!stays_up(from, to) || !nm.reapply(text.interface)) nm.activate(*to.active, text.interface);
}

void nm_profile_move(Tools& tools, const std::string& key, const State* from_state, const State* to_state) {
  const auto* from = from_state == nullptr ? nullptr : &from_state->as<NmProfileState>();
  if (to_state == nullptr) {
    if (from != nullptr) remove(tools, key, *from);
    return;
  }
  const auto& to = to_state->as<NmProfileState>();
  if (from == nullptr || !is_as_wanted(*from, to)) write_file(tools, key, to);
  if (!to.loaded) return;
  tools.host.networkmanager->load(key);
  if (to.active) activate(tools, from, to);
  tools.links.forget();
}

// NetworkManager cannot be made to forget a file that is there: a state counts as back where more is loaded or applied
// than before.
bool nm_profile_is_back(const State& now_state, const State& from_state) {
  const auto& now = now_state.as<NmProfileState>();
  const auto& from = from_state.as<NmProfileState>();
  if (static_cast<const FileState&>(now) != static_cast<const FileState&>(from)) return false;
  if (!from.loaded || !now.loaded) return true;  // NetworkManager did not run then, or does not now
  if (from.active == no_carrier) return *now.applied || now.active == no_carrier || now.active == no_profile;
  return now.active == from.active && (*now.applied || !*from.applied);
}

// A bond that back end none or somebody else made goes with NetworkManager's profile of it when that is taken back.
std::vector<Ref> nm_profile_put_back(const Scene& scene, const std::string&, const State* from, const State* to) {
  if (from != nullptr || to == nullptr) return {};
  const NmProfileText text = read_nm_profile(file_of(*to));
  const LinkId id = bond_id(text.interface);
  if (!text.is_bond() || find_link(scene.snapshot, id) == nullptr) return {};
  std::vector<Ref> refs = what_is_on(scene.snapshot, id);
  refs.push_back({bond_kind.name, to_text(id)});  // undo goes from the last to the first
  return refs;
}

std::string nm_profile_title(const std::string& key, const State*) { return key; }

// Profiles whose files are in the record, and what InfiniBand interfaces and bonds run.
void nm_profile_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  const NmState* state = snapshot.networkmanager();
  if (state == nullptr) return;
  model.networkmanager = *state;
  std::erase_if(model.networkmanager->profiles, [&](const NmProfile& one) { return !model.files.contains(one.path); });
  std::erase_if(model.networkmanager->devices, [&](const NmDevice& one) {
    const Link* link = snapshot.link(one.interface);
    return link == nullptr || (!link->is_ipoib() && !link->bond);
  });
}

}  // namespace

std::string nm_profile_path(const std::string& interface) {
  return fmt::format("{}/{}.nmconnection", common_layout().nm_profiles, interface);
}

NmProfileText read_nm_profile(const FileState& file) {
  static const Bytes nothing;
  const ini::File text(ini::keyfile, (file.content ? *file.content : nothing).value);
  const std::string master = text.value("connection", "master");
  return {text.value("connection", "interface-name"),
          text.value("connection", "uuid"),
          text.value("user", nm_digest_key),
          text.value("infiniband", "parent"),
          text.value("infiniband", "p-key"),
          master.empty() ? text.value("connection", "controller") : master,
          text.value("connection", "type")};
}

NmProfileState wanted_nm_profile(std::string content) {
  NmProfileState state = wanted_nm_profile(std::move(content), /*uuid=*/{});
  state.active = read_nm_profile(state).uuid;
  return state;
}

NmProfileState wanted_nm_profile(std::string content, std::string uuid) {
  return {regular_file(std::move(content), private_file), /*loaded=*/true, /*active=*/std::move(uuid),
          /*applied=*/true};
}

constinit const Kind nm_profile_kind = [] {
  Kind kind = kind_of<NmProfileState, FileState>("nm_profile");
  kind.durable = true;
  kind.verbs = {"write", "rewrite", "remove"};
  kind.rank = 31;  // when modules have brought the interfaces, and those have their names
  kind.observe = nm_profile_observe;
  kind.gap = nm_profile_gap;
  kind.needs = nm_profile_needs;
  kind.stage = stage_unless_as_wanted;
  kind.move = nm_profile_move;
  kind.is_back = nm_profile_is_back;
  kind.loses = nm_profile_loses;
  kind.put_back = nm_profile_put_back;
  kind.still = nm_profile_still;
  kind.lines = file_lines;
  kind.title = nm_profile_title;
  kind.keep = nm_profile_keep;
  return kind;
}();

}  // namespace rdmastate
