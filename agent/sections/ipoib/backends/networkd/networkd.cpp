// SPDX-License-Identifier: Apache-2.0
// Back end networkd: one .network file per interface and one .netdev file per child (systemd.network(5),
// systemd.netdev(5)); the live state is awaited from systemd-networkd.
#include <fmt/format.h>

#include <algorithm>

#include "base/template.hpp"
#include "host/mark.hpp"
#include "resources/file/file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/networkd/files.hpp"
#include "sections/ipoib/backends/networkd/keys.hpp"
#include "sections/ipoib/backends/networkd/text.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// Every record can be expressed: what networkd cannot set, rdmastate does (unset_by_networkd).
void check_networkd(const IpoibRecord&, std::size_t, Report&) {}

std::string why_networkd(const Facts& facts) { return why_daemon(facts, Backend::networkd); }

Wanted& add_file(const Profile& profile, const std::string& path, std::string text, Desired& desired) {
  State state(networkd_file_kind, wanted_networkd_file(path, std::move(text)));
  return desired.add({&networkd_file_kind, path, std::move(state), profile.path()});
}

std::string netdev_path(const Profile& profile) { return networkd_path(profile.name, ".netdev"); }
std::string network_path(const Profile& profile) { return networkd_path(profile.name, ".network"); }

// Adds the interface's link, addresses and routes.
void add_live_state(const Profile& profile, const Expansion& to) {
  LiveBy by{"systemd-networkd", {{networkd_file_kind.name, network_path(profile)}, TwinForm::whole_file}};
  if (profile.is_absent()) by.owner.clear();  // networkd makes children, and removes none
  by.unset_by_owner = unset_by_networkd();
  if (profile.is_child())
    by.of_link.push_back({{networkd_file_kind.name, netdev_path(profile)}, TwinForm::whole_file, netdev_twin_fields()});
  add_live(profile, by, to);
}

void add_netdev_file(const Profile& profile, const Template& netdev, Desired& desired) {
  const std::string path = netdev_path(profile);
  Wanted& one = add_file(profile, path, netdev_text(netdev, profile), desired);
  one.take_over = [asked = profile.asked, path](const State& theirs) { return netdev_file_over(asked, path, theirs); };
}

void add_network_file(const Profile& profile, const Template& network, Desired& desired) {
  const std::string path = network_path(profile);
  Wanted& one = add_file(profile, path, network_text(network, profile), desired);
  one.take_over = [asked = profile.asked, children = profile.children, bond = profile.bond,
                   is_primary = profile.is_primary, path](const State& theirs) {
    return network_file_over({asked, children, bond, is_primary}, path, theirs);
  };
}

void check_networkd_port(const IpoibRecord& record, std::size_t i, const BondRecord& bond, Report& report) {
  check_ipv6_of_port(record, i, bond, "systemd-networkd", report);
}

void expand_networkd(const Expansion& to) {
  const Template network("ipoib.network", escape_line);
  const Template netdev("ipoib.netdev", escape_line);
  for (const auto& profile : to.profiles) {
    add_live_state(profile, to);
    if (profile.is_absent()) continue;
    if (profile.is_child()) {
      check_networkd_child(to.facts, profile, to.report);
      add_netdev_file(profile, netdev, to.desired);
    }
    add_network_file(profile, network, to.desired);
  }
  add_port_rules(to, {.settings = unset_by_networkd()});
}

LiveBy networkd_bond_by(const BondRecord& bond, std::size_t index, const Expansion& to) {
  return bond_by_networkd(bond, index, to, {networkd_file_kind, "systemd-networkd", network_path});
}

using IniFiles = std::vector<Ini>;

// The .netdev file that makes the child of this name; nullptr: there is none.
const Ini* netdev_of(const IniFiles& files, const std::string& name) {
  for (const auto& file : files)
    if (file.value("NetDev", "Name") == name && file.value("NetDev", "Kind") == "ipoib") return &file;
  return nullptr;
}

// The children that a port's file names, in its order, which is the spec's where rdmastate wrote the file.
std::vector<std::string> children_of(const Ini& file) { return file.values("Network", "IPoIB"); }

// Pairs of an interface and its parent, which is empty for a port: ports in the order of our udev rules, then other
// ports, then children as their ports' files name them. A port may stand there more than once: adopt_networkd() takes
// the first.
std::vector<std::pair<std::string, std::string>> names_and_parents(const Adoption& from, const IniFiles& files) {
  std::vector<std::pair<std::string, std::string>> all, children;
  std::set<std::string> children_seen;
  for (const auto& port : ports_named_by_rules(from.snapshot)) all.emplace_back(port.name, "");
  for (const auto& file : files)
    for (const auto& child : children_of(file))
      if (children_seen.insert(child).second) children.emplace_back(child, file.value("Match", "Name"));
  for (const auto& [child, parent] : children) all.emplace_back(parent, "");
  for (const auto& file : files) {
    const Link* link = from.snapshot.is_tree() ? nullptr : from.snapshot.link(file.value("Match", "Name"));
    if (link != nullptr && link->is_ipoib() && !children_seen.contains(link->name)) all.emplace_back(link->name, "");
  }
  all.insert(all.end(), children.begin(), children.end());
  return all;
}

// A sentence on what the file says beyond a spec; empty where there is nothing, and for a file of rdmastate.
std::string sentence_on_rest(const Adoption& from, const Ini& file) {
  std::vector<std::string> known = known_networkd_keys();
  for (const char* key : {"Match.Name", "Match.MACAddress", "Match.Type", "Route.Destination", "Route.Gateway",
                          "Route.Metric", "NetDev.Name", "NetDev.Kind"})
    known.emplace_back(key);
  if (is_rendered(from.snapshot.read(file.path()).value_or(""))) return {};
  return sentence_on_other_keys(file, known);
}

const Ini* network_file_of(const IniFiles& files, const std::string& name) {
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const Ini& file) { return file.value("Match", "Name") == name; });
  return found == files.end() ? nullptr : &*found;
}

// Reads networkd's files that name an interface, but for those of the applied spec, whose records are there already.
// Makes a record of each interface whose .network file is among them; a child needs its .netdev file too.
void adopt_networkd(const Adoption& from, Adopted& to) {
  IniFiles files;
  std::set<std::string> seen;
  for (const auto& claim : from.facts.claims)
    if (claim.manager == "networkd" && !from.is_applied_file(claim.path) && seen.insert(claim.path).second)
      files.emplace_back(claim.path, ini::systemd, from.snapshot.read(claim.path).value_or(""));
  std::set<std::string> adopted;
  for (const auto& [name, parent] : names_and_parents(from, files)) {
    const Ini* file = network_file_of(files, name);
    const Ini* netdev = parent.empty() ? nullptr : netdev_of(files, name);
    const bool has_files = file != nullptr && (parent.empty() || netdev != nullptr);
    if (!has_files || !adopted.insert(name).second) continue;
    adopt_network_file(from, *file, name, netdev, parent, to);
    for (const Ini* one : {file, netdev}) {
      std::string rest = one != nullptr ? sentence_on_rest(from, *one) : std::string();
      if (!rest.empty()) to.left_out.push_back(std::move(rest));
    }
  }
}

std::string network_file(const Profile& profile, const Facts&) { return file_name(network_path(profile)); }

FilePlaces networkd_places() { return {{networkd_path("*", ".network")}, {networkd_path("*", ".netdev")}}; }

}  // namespace

constinit const BackendRow networkd_backend{.backend = Backend::networkd,
                                            .why = why_networkd,
                                            .check = check_networkd,
                                            .check_bond = check_networkd_bond,
                                            .check_port = check_networkd_port,
                                            .bond_by = networkd_bond_by,
                                            .expand = expand_networkd,
                                            .adopt = adopt_networkd,
                                            .network_file = network_file,
                                            .places = networkd_places};

}  // namespace rdmastate
