// SPDX-License-Identifier: Apache-2.0
// A move writes or removes the file, makes networkd read its files again, and waits until the interface runs this one.
// networkd makes the children and bonds that .netdev files describe, and never removes one: rdmastate does.
#include "resources/networkd_file/networkd_file.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/ini.hpp"
#include "host/recorded/model.hpp"
#include "platform/layout.hpp"
#include "resources/bond/bond.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/link_table.hpp"
#include "resources/module.hpp"
#include "resources/networkd_file/bond.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;

const std::string any_file;  // in place of a path: whichever file networkd runs on the interface

// Whether networkd has begun to run the file; the mover waits until it has finished.
bool is_at_work(const NetworkdLink& link, const std::string& path) {
  return goes_by(link, path) && (link.state == "configured" || link.state == "configuring");
}

// Whether networkd has run the file at `path`, or any_file. Without carrier the state stays "configuring",
// though nothing is left to do.
bool has_finished(const NetworkdLink& link, const std::string& path) {
  const bool runs_it = path == any_file ? !link.file.empty() : goes_by(link, path);
  return runs_it && (link.state == "configured" || (link.state == "configuring" && !link.carrier));
}

Observation networkd_file_observe(const Snapshot& snapshot, const std::string& key) {
  FileObservation seen = observe_file(snapshot, key);
  if (auto* unseen = std::get_if<Unseen>(&seen)) return std::move(*unseen);
  auto* file = std::get_if<FileState>(&seen);
  if (file == nullptr) return Absent{};
  NetworkdFileState state{std::move(*file), /*applied=*/{}, /*leaves_child=*/{}};
  if (!snapshot.networkd_runs()) return State(networkd_file_kind, std::move(state));
  if (is_network_file(key)) {
    state.applied = runs_network_file(snapshot, read_networkd_text(state).interface, key);
  } else if (snapshot.link(read_networkd_text(state).interface) == nullptr) {
    state.applied = false;
  }
  return State(networkd_file_kind, std::move(state));
}

// A parent's file names its children, whose own files have to be there when it is read; a child's .netdev file stands
// before and goes after its .network file, so that undo finds it there.
std::vector<Ref> networkd_file_needs(const std::string& key, const State* state) {
  std::vector<Ref> refs = needs_directory(key, state);
  if (state == nullptr) return refs;
  refs.push_back({module_kind.name, "ib_ipoib"});
  const NetworkdText text = read_networkd_text(file_of(*state));
  if (is_network_file(key) && (!text.parent.empty() || text.is_bond))
    refs.push_back({networkd_file_kind.name, networkd_path(text.interface, ".netdev")});
  if (!text.bond.empty()) refs.push_back({networkd_file_kind.name, networkd_path(text.bond, ".network")});
  for (const auto& child : text.children)
    for (const std::string_view suffix : {".netdev", ".network"})
      refs.push_back({networkd_file_kind.name, networkd_path(child, suffix)});
  return refs;
}

// What networkd says of the interface now; nullopt: there is no such interface.
std::optional<NetworkdLink> look(Tools& tools, const std::string& interface) {
  const auto link = tools.host.links->find(interface);
  if (!link) return std::nullopt;
  const auto text = tools.host.files.read(networkd_link_path(link->index));
  return text ? read_networkd_link(*text) : NetworkdLink{};
}

// What networkd has done so far with the interface, for a message.
std::string progress_text(const std::optional<NetworkdLink>& link) {
  if (!link) return "there is no such interface";
  if (link->file.empty()) return "it runs no file there: does another one match first?";
  return "it runs " + link->file + ", state " + link->state;
}

// Waits until networkd has run the file at `path`, or any_file, on the interface. Throws Error where it fails, or
// takes longer than 90 s.
void await(Tools& tools, const std::string& interface, const std::string& path) {
  constexpr auto deadline = 90s;
  constexpr auto pause = 100ms;
  const auto until = tools.host.clock.ticks() + deadline;
  for (;;) {
    const auto link = look(tools, interface);
    if (link && has_finished(*link, path)) return;
    if (link && link->state == "failed")
      throw Error(
          fmt::format("systemd-networkd could not configure {}: journalctl -u systemd-networkd says why", interface));
    if (tools.host.clock.ticks() >= until)
      throw Error(fmt::format("systemd-networkd has not configured {}{} after {} seconds ({})", interface,
                              path == any_file ? "" : " with " + path, std::chrono::seconds(deadline).count(),
                              progress_text(link)));
    tools.host.clock.sleep(pause);
  }
}

std::optional<NetworkdText> text_at(Tools& tools, const std::string& path) {
  const auto bytes = tools.host.files.read(path);
  if (!bytes) return std::nullopt;
  return read_networkd_text(regular_file(*bytes));
}

// What a .network file says, with the children that rdmastate's drop-in of it names.
std::optional<NetworkdText> network_text_at(Tools& tools, const std::string& path) {
  auto text = text_at(tools, path);
  const auto more = text_at(tools, networkd_drop_in_path(file_name(path)));
  if (text && more) text->children.insert(text->children.end(), more->children.begin(), more->children.end());
  return text;
}

// A child's .netdev file: one of rdmastate's name, or one that was taken over under its own; nullopt: there is none.
std::optional<NetworkdText> netdev_of(Tools& tools, const std::string& child) {
  if (auto ours = text_at(tools, networkd_path(child, ".netdev"))) return ours;
  const std::string folder(common_layout().networkd_files);
  for (const auto& name : tools.host.files.list(folder)) {
    if (!name.ends_with(".netdev")) continue;
    auto text = text_at(tools, fmt::format("{}/{}", folder, name));
    if (text && text->interface == child) return text;
  }
  return std::nullopt;
}

// Whether the parent's file, of rdmastate or taken over, makes the child. Before that is written there is nothing to
// wait for.
bool is_made_by_parent(Tools& tools, const NetworkdText& text) {
  const auto link = look(tools, text.parent);
  const auto parent =
      network_text_at(tools, link && !link->file.empty() ? link->file : networkd_path(text.parent, ".network"));
  return parent &&
         std::find(parent->children.begin(), parent->children.end(), text.interface) != parent->children.end();
}

// Waits for the children that a port's file makes.
void await_children(Tools& tools, const NetworkdText& text) {
  for (const auto& child : text.children)
    if (netdev_of(tools, child)) await(tools, child, any_file);
}

// Waits until networkd, which has reloaded its files, has configured the interface by the drop-in too. Nothing where
// the file that it adds to is still to come.
void await_drop_in(Tools& tools, const std::string& path, const NetworkdText& text) {
  const auto link = tools.host.links->find(text.interface);
  const auto now = look(tools, text.interface);
  if (!link || !goes_by(now.value_or(NetworkdLink{}), path)) return;
  tools.host.networkd->reconfigure(link->index);
  await(tools, text.interface, path);
  await_children(tools, text);
}

// Waits until networkd, which has reloaded its files, runs this one and has made the children that it names. A child
// that is missing is made when its parent is configured again.
void await_file(Tools& tools, const std::string& path, const NetworkdText& text) {
  if (!name_of_dropped_into(path).empty()) return await_drop_in(tools, path, text);
  if (!text.parent.empty() && !is_made_by_parent(tools, text)) return;
  if (!text.parent.empty() && !tools.host.links->find(text.interface)) {
    const auto parent = tools.host.links->find(text.parent);
    if (parent) tools.host.networkd->reconfigure(parent->index);
  }
  await(tools, text.interface, path);
  await_children(tools, text);
  if (text.is_bond) complete_bond(tools, text.interface);
}

// networkd makes children and bonds and never removes them: rdmastate removes one with its file, and in undo where it
// was not there before.
void remove_made(Tools& tools, const NetworkdText& text) {
  const auto link = tools.host.links->find(text.interface);
  tools.links.forget();
  if (link && is_made_by(text, *link, tools.links.ports_of(link->index))) tools.host.links->remove(*link);
}

// The kernel allows two children in one partition. One with another name is left from when its port had another name,
// and has the same addresses: it is removed before networkd makes this one.
void make_way(Tools& tools, const NetworkdText& text) {
  const auto netdev = netdev_of(tools, text.interface);
  if (!netdev || !netdev->pkey) return;
  LinkId id;
  id.name = text.parent;
  id.pkey = netdev->pkey;
  tools.links.forget();
  const Link* there = tools.links.find(id);
  if (there != nullptr && there->name != text.interface) tools.host.links->remove(Link(*there));
}

bool is_to_run(const State* state) {
  return state != nullptr && state->as<NetworkdFileState>().applied.value_or(false);
}

void networkd_file_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  const bool write = to != nullptr && (from == nullptr || !is_as_wanted(file_of(*from), file_of(*to)));
  if (write) write_file(tools, key, file_of(*to));
  if (to == nullptr) tools.host.files.remove(key);
  if (tools.host.networkd == nullptr || !tools.host.networkd->runs()) return;
  const NetworkdText text = read_networkd_text(file_of(to != nullptr ? *to : *from));
  if (is_to_run(to) && !text.parent.empty()) make_way(tools, text);
  tools.host.networkd->reload();
  if (!is_network_file(key) && takes_child(from, to)) remove_made(tools, text);
  if (is_to_run(to)) await_file(tools, key, text);
  tools.links.forget();
}

// The same file, and the interface runs it if it did. That it runs now and did not then is no difference, nor is a
// networkd that did not run then, or does not now (nullopt).
bool networkd_file_is_back(const State& now_state, const State& from_state) {
  const auto& now = now_state.as<NetworkdFileState>();
  const auto& from = from_state.as<NetworkdFileState>();
  if (static_cast<const FileState&>(now) != static_cast<const FileState&>(from)) return false;
  const bool is_known = from.applied && now.applied;
  return !is_known || *now.applied || !*from.applied;
}

// A child or bond that was there before its .netdev file goes with that file when the file is taken back.
std::vector<Ref> networkd_file_put_back(const Scene& scene, const std::string& key, const State* from,
                                        const State* to) {
  if (from != nullptr || to == nullptr || is_network_file(key)) return {};
  const Link* link = made_by(scene.snapshot, read_networkd_text(file_of(*to)));
  if (link == nullptr) return {};
  const std::string id = link->bond ? to_text(bond_id(link->name)) : ipoib_link_key(scene.snapshot, *link);
  std::vector<Ref> refs = what_is_on(scene.snapshot, link_id_from(id));
  refs.push_back({link->bond ? bond_kind.name : ipoib_link_kind.name, id});  // undo goes from the last to the first
  return refs;
}

std::string networkd_file_title(const std::string& key, const State*) { return key; }

// networkd's state file of each interface: no secret is in it.
FilePlaces networkd_file_places() { return {{std::string(networkd_links) + "*"}}; }

void networkd_file_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  model.networkd = snapshot.networkd_runs();
}

}  // namespace

const ini::Dialect& networkd_comments() {
  static const ini::Dialect with_comments = [] {
    ini::Dialect dialect = ini::systemd;
    dialect.comments = "";
    return dialect;
  }();
  return with_comments;
}

NetworkdText read_networkd_text(const FileState& file) {
  static const Bytes nothing;
  const std::string& bytes = (file.content ? *file.content : nothing).value;
  const ini::File text(ini::systemd, bytes);
  NetworkdText read;
  read.interface = text.value("Match", "Name");
  if (read.interface.empty()) read.interface = text.value("NetDev", "Name");
  const ini::File comments(networkd_comments(), bytes);
  if (read.interface.empty()) read.interface = comments.value("Network", networkd_port_key);
  read.parent = comments.value("Match", networkd_parent_key);
  read.children = text.values("Network", "IPoIB");
  read.pkey = networkd_pkey(text.value("IPoIB", "PartitionKey"));
  read.is_bond =
      text.value("NetDev", "Kind") == networkd_bond || comments.value("Match", networkd_kind_key) == networkd_bond;
  read.bond = text.value("Network", "Bond");
  read.is_primary = is_yes(text.value("Network", "PrimarySlave"));
  return read;
}

bool is_made_by(const NetworkdText& text, const Link& link, std::span<const Link> ports) {
  if (text.is_bond) return is_bond_of_ipoib(link, ports);
  return link.is_child() && link.ipoib && link.ipoib->pkey == text.pkey;
}

const Link* made_by(const Snapshot& snapshot, const NetworkdText& text) {
  const Link* link = snapshot.is_tree() ? nullptr : snapshot.link(text.interface);
  return link != nullptr && is_made_by(text, *link, ports_of(snapshot, *link)) ? link : nullptr;
}

bool takes_child(const State* from, const State* to) {
  if (to == nullptr) return from != nullptr && !from->as<NetworkdFileState>().leaves_child.value_or(false);
  return !to->as<NetworkdFileState>().applied.value_or(true);
}

bool runs_network_file(const Snapshot& snapshot, const std::string& interface, const std::string& path) {
  const Link* link = snapshot.link(interface);
  if (link == nullptr) return false;
  const auto text = snapshot.read(networkd_link_path(link->index));
  return text && is_at_work(read_networkd_link(*text), path);
}

void await_network_file(Tools& tools, const std::string& interface, const std::string& path) {
  await(tools, interface, path);
  if (const auto text = network_text_at(tools, path)) await_children(tools, *text);
}

std::string name_of_dropped_into(std::string_view path) {
  constexpr std::string_view ending = ".d";
  const std::string_view directory = path.substr(0, std::min(path.rfind('/'), path.size()));
  if (!path.ends_with(".conf") || !directory.ends_with(".network.d")) return {};
  return file_name(directory.substr(0, directory.size() - ending.size()));
}

bool goes_by(const NetworkdLink& link, const std::string& path) {
  const std::string name = name_of_dropped_into(path);
  return name.empty() ? link.file == path : file_name(link.file) == name;
}

bool has_taken(const std::optional<std::string>& state_file, const std::string& path) {
  return state_file && goes_by(read_networkd_link(*state_file), path);
}

bool is_network_file(std::string_view path) {
  return path.ends_with(".network") || !name_of_dropped_into(path).empty();
}

NetworkdFileState wanted_networkd_file(const std::string& path, std::string content) {
  NetworkdFileState state{regular_file(std::move(content)), /*applied=*/{}, /*leaves_child=*/{}};
  if (is_network_file(path)) state.applied = true;
  return state;
}

std::string networkd_path(const std::string& interface, std::string_view suffix) {
  return fmt::format("{}/60-rdmastate-{}{}", common_layout().networkd_files, interface, suffix);
}

std::string networkd_drop_in_path(std::string_view name) {
  return fmt::format("{}/{}.d/rdmastate.conf", common_layout().networkd_files, name);
}

constinit const Kind networkd_file_kind = [] {
  Kind kind = kind_of<NetworkdFileState, FileState>("networkd_file");
  kind.durable = true;
  kind.verbs = {"write", "rewrite", "remove"};
  kind.rank = 31;  // when modules have brought the interfaces, and those have their names
  kind.observe = networkd_file_observe;
  kind.gap = networkd_file_gap;
  kind.needs = networkd_file_needs;
  kind.stage = stage_unless_as_wanted;
  kind.move = networkd_file_move;
  kind.is_back = networkd_file_is_back;
  kind.loses = networkd_file_loses;
  kind.put_back = networkd_file_put_back;
  kind.lines = file_lines;
  kind.title = networkd_file_title;
  kind.places = networkd_file_places;
  kind.keep = networkd_file_keep;
  return kind;
}();

}  // namespace rdmastate
