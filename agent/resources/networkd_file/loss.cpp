// SPDX-License-Identifier: Apache-2.0
// The loss by a step on a .network file: the interface goes down if networkd has taken a file for it already, or lets
// it join a bond; else it loses the addresses and routes that the new file does not name. By one on a .netdev file: the
// child or bond that goes with it, and since systemd 257 what others gave the interface whose file names it.
#include <algorithm>
#include <set>

#include "base/ini.hpp"
#include "base/link_local.hpp"
#include "platform/platform.hpp"
#include "resources/networkd_file/networkd_file.hpp"

namespace rdmastate {
namespace {

// The addresses and routes that a file of rdmastate names: they stay when networkd begins to configure the interface.
struct Named {
  std::set<std::string> addresses;
  std::set<std::pair<std::string, std::string>> routes;  // destination and gateway
  bool link_local = false;
};

// A destination of a [Route] section; empty for the default route, as where the section has none.
std::string destination_of(const std::string& said) { return said == "0.0.0.0/0" || said == "::/0" ? "" : said; }

Named named_by(const FileState& state) {
  const ini::File file(ini::systemd, state.content ? std::string_view(state.content->value) : std::string_view());
  Named named;
  named.link_local = file.value("Network", "LinkLocalAddressing") == "ipv6";
  std::map<std::size_t, std::pair<std::string, std::string>> routes;
  for (const auto& line : file.entries()) {
    if (!line.counts) continue;
    if (line.key == "Address") named.addresses.insert(line.value);
    if (file.section(line) != "Route") continue;
    auto& [to, via] = routes[line.instance];  // each [Route] section is one route
    if (line.key == "Destination") to = destination_of(line.value);
    if (line.key == "Gateway") via = line.value;
  }
  for (auto& [instance, route] : routes) named.routes.insert(std::move(route));
  return named;
}

// When networkd begins to configure an interface, it removes addresses and routes that its file does not name
// (link_drop_foreign_config); the kernel's own routes go with their addresses.
Loss lost_by_beginning(const Snapshot& snapshot, const Link& link, const FileState& to) {
  constexpr std::uint8_t by_kernel = 2;  // RTPROT_KERNEL
  const Named named = named_by(to);
  Loss loss;
  for (const auto& one : snapshot.addresses(link.index)) {
    const bool stays =
        named.addresses.contains(to_text(one.value)) || (named.link_local && is_link_local(one.value.address));
    if (!stays) loss.addresses.push_back(one);
  }
  for (const auto& one : snapshot.routes(link.index)) {
    const std::pair said{one.to.is_default() ? std::string() : to_text(one.to), one.via ? to_text(*one.via) : ""};
    if (one.protocol != by_kernel && !named.routes.contains(said)) loss.routes.push_back(one);
  }
  return loss;
}

// The .network file that networkd has taken for the interface, also where it failed to configure that; empty: none.
std::string file_taken_for(const Snapshot& snapshot, const Link& link) {
  const auto text = snapshot.read(networkd_link_path(link.index));
  return text ? read_networkd_link(*text).file : std::string();
}

bool is_taken(const Snapshot& snapshot, const std::string& path, const State& file) {
  const Link* link = snapshot.link(read_networkd_text(file.as<FileState>()).interface);
  return snapshot.networkd_runs() && link != nullptr && has_taken(snapshot.read(networkd_link_path(link->index)), path);
}

// A child or a bond goes with its .netdev file where networkd runs, whatever file that runs on it.
Loss lost_with_child(const Snapshot& snapshot, const NetworkdText& text) {
  const Link* link = snapshot.networkd_runs() ? made_by(snapshot, text) : nullptr;
  return link != nullptr ? loss_of_link(snapshot, link) : Loss{};
}

bool is_to_run(const State* state) {
  return state != nullptr && state->as<NetworkdFileState>().applied.value_or(false);
}

// Whether networkd lets the interface join a bond by that file: a port goes down for it.
bool joins_bond(const Snapshot& snapshot, const Link& link, const State& file) {
  const std::string bond = read_networkd_text(file.as<FileState>()).bond;
  const Link* there = bond.empty() ? nullptr : snapshot.link(bond);
  return !bond.empty() && (there == nullptr || there->index != link.master);
}

// What the interface of a .network file loses.
Loss lost_on_interface(const Scene& scene, const std::string& key, const State* from, const State* to) {
  const bool ran = is_to_run(from) || (from != nullptr && is_taken(scene.snapshot, key, *from));
  const State* file = ran || to == nullptr ? from : to;
  const Link* link = scene.snapshot.link(read_networkd_text(file->as<FileState>()).interface);
  if (link == nullptr || !link->up || (!ran && !is_to_run(to))) return {};
  // networkd removes the addresses of the file before, and foreign ones with them, and gives its own anew.
  const bool goes_down = ran || !file_taken_for(scene.snapshot, *link).empty();
  if (goes_down || joins_bond(scene.snapshot, *link, *to)) return loss_of_link(scene.snapshot, link);
  return lost_by_beginning(scene.snapshot, *link, to->as<FileState>());
}

// A child with another name in the partition of the child that this .network file is for: the step removes it, since
// the kernel allows one in a partition.
const Link* in_the_way(const Scene& scene, const State* to) {
  if (!is_to_run(to)) return nullptr;
  const NetworkdText text = read_networkd_text(to->as<FileState>());
  const Link* parent = text.parent.empty() ? nullptr : scene.snapshot.link(text.parent);
  const auto* netdev = scene.plan.wanted(networkd_file_kind, networkd_path(text.interface, ".netdev"));
  if (parent == nullptr || netdev == nullptr || !*netdev) return nullptr;
  const auto pkey = read_networkd_text((*netdev)->as<FileState>()).pkey;
  const Link* there = pkey ? scene.snapshot.child(parent->index, *pkey) : nullptr;
  return there != nullptr && there->name != text.interface ? there : nullptr;
}

// Whether the .network file at `path`, with rdmastate's drop-in, has networkd make the child of that name.
bool makes_child(const Snapshot& snapshot, const std::string& path, const std::string& child) {
  for (const auto& one : {path, networkd_drop_in_path(file_name(path))}) {
    const auto bytes = snapshot.read(one);
    const auto children = bytes ? read_networkd_text(regular_file(*bytes)).children : std::vector<std::string>();
    if (std::find(children.begin(), children.end(), child) != children.end()) return true;
  }
  return false;
}

// The port that a child stands on: by rdmastate's .network file of the child, since networkd goes by files and the
// child may be gone; else by the kernel, as of one whose files were taken over. nullptr: it is not known.
const Link* parent_of(const Snapshot& snapshot, const std::string& child) {
  const auto bytes = snapshot.read(networkd_path(child, ".network"));
  const std::string parent = bytes ? read_networkd_text(regular_file(*bytes)).parent : std::string();
  if (!parent.empty()) return snapshot.link(parent);
  const Link* link = snapshot.link(child);
  return link != nullptr && link->is_child() ? snapshot.link(link->parent) : nullptr;
}

// Since systemd 257 networkd configures a port anew when the .netdev file of a child that its .network file names has
// changed (scenario rig-networkd). Where the version is not known, it may be that. The ports of a bond are configured
// anew too, and have no addresses.
Loss lost_on_parent(const Scene& scene, const NetworkdText& text) {
  constexpr Version first_that_looks{257};
  const Link* parent = scene.snapshot.networkd_runs() ? parent_of(scene.snapshot, text.interface) : nullptr;
  if (parent == nullptr || platform_of(scene.facts).at_most.systemd < first_that_looks) return {};
  const std::string path = file_taken_for(scene.snapshot, *parent);
  const auto bytes = path.empty() ? std::nullopt : scene.snapshot.read(path);
  if (!bytes || !makes_child(scene.snapshot, path, text.interface)) return {};
  return lost_by_beginning(scene.snapshot, *parent, regular_file(*bytes));
}

Loss lost_by_netdev(const Scene& scene, const State* from, const State* to) {
  const NetworkdText text = read_networkd_text(file_of(to != nullptr ? *to : *from));
  if (takes_child(from, to)) return lost_with_child(scene.snapshot, text);
  const bool changes = from != nullptr && to != nullptr && !is_as_wanted(file_of(*from), file_of(*to));
  return changes ? lost_on_parent(scene, text) : Loss{};
}

}  // namespace

Loss networkd_file_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  if (from == nullptr && to == nullptr) return {};
  if (!is_network_file(key)) return lost_by_netdev(scene, from, to);
  Loss loss = lost_on_interface(scene, key, from, to);
  add_loss_of_link(scene.snapshot, in_the_way(scene, to), loss);
  return loss;
}

}  // namespace rdmastate
