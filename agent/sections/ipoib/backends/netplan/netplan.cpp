// SPDX-License-Identifier: Apache-2.0
// Back end netplan: one file of netplan's for the ports (netplan(5)). netplan has no key for children, so each has
// files of the renderer, and so has a bond, since netplan's `bonds:` takes no port that netplan does not define. Where
// the renderer is networkd, a drop-in adds children and bond to the port's .network file. Where rdmastate can run
// netplan, a step runs `netplan generate` and tells the renderer, which makes the live state. Elsewhere netplan's files
// take effect at the next boot.
#include <fmt/format.h>

#include <algorithm>

#include "host/netplan.hpp"
#include "platform/layout.hpp"
#include "resources/netplan_file/netplan_file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/netplan/netplan_file.hpp"
#include "sections/ipoib/backends/networkd/files.hpp"
#include "sections/ipoib/backends/networkd/keys.hpp"
#include "sections/ipoib/backends/networkd/text.hpp"
#include "sections/ipoib/backends/networkmanager/networkmanager.hpp"
#include "sections/ipoib/backends/print.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

void check_netplan(const IpoibRecord& record, std::size_t i, Report& report) {
  check_child_name(record, i, "netplan", report);
}

// networkd is netplan's default.
bool is_by_networkd(const Facts& facts) { return facts.netplan_renderer != "NetworkManager"; }

std::string why_netplan(const Facts& facts) {
  const Manager* manager = manager_here(facts, Backend::netplan);
  if (manager == nullptr) return {};
  return fmt::format("it has files here ({}), for {}", manager->evidence,
                     is_by_networkd(facts) ? "networkd" : "NetworkManager");
}

Twin netplan_twin() {
  return {{netplan_file_kind.name, std::string(common_layout().netplan_file)}, TwinForm::whole_file};
}

// The owner of the live state: the renderer where rdmastate can run netplan, else netplan at the next boot.
std::string owner_of(const Facts& facts) {
  if (!facts.netplan) return "netplan";
  return is_by_networkd(facts) ? "systemd-networkd" : "NetworkManager";
}

// The sentence for Wanted::waits, of a host whose netplan rdmastate does not run.
std::string waits_for_netplan(const Facts& facts, std::string_view path) {
  if (facts.netplan) return {};
  return fmt::format("netplan configures it from {} at the next boot, or by netplan apply", path);
}

std::string netplan_why_awaited(const Facts& facts, const Profile& profile, std::string_view path) {
  if (!facts.netplan && profile.is_absent())
    return fmt::format(
        "networkd is no longer told to make it, and leaves it alone until the next boot: ip link delete {} "
        "removes it now",
        profile.name);
  return waits_for_netplan(facts, path);
}

// The kind of the files that rdmastate writes for networkd itself: a child's, a bond's, and the drop-in of a port.
// Where rdmastate does not run netplan, the port's .network file is generated only at boot. Until then networkd cannot
// apply them, so they are plain files.
const Kind& kind_of_networkd_file(const Facts& facts) { return facts.netplan ? networkd_file_kind : file_kind; }

void add_networkd_file(const Profile& profile, const std::string& path, std::string text, const Expansion& to) {
  const Kind& kind = kind_of_networkd_file(to.facts);
  to.desired.add({&kind, path, networkd_file_state(kind, path, std::move(text)), profile.path()});
}

// With networkd a drop-in of the port's .network file names the port's children, and the bond that it joins.
void add_port(const Expansion& to, const Profile& profile, bool by_networkd) {
  LiveBy by{owner_of(to.facts), netplan_twin(), /*of_link=*/{},
            netplan_why_awaited(to.facts, profile, common_layout().netplan_file)};
  if (by_networkd) by.unset_by_owner = unset_by_networkd();
  add_live(profile, by, to);
  if (!by_networkd || (profile.children.empty() && profile.bond.empty())) return;
  const Template drop_in("ipoib.network-drop-in", escape_line);
  const Values values{{{"name", profile.name},
                       {"children", child_values(profile)},
                       {"bond", text_or_false(profile.bond)},
                       {"is_primary", profile.is_primary}}};
  add_networkd_file(profile, netplan_drop_in_path(profile.name), drop_in.render(values), to);
}

void add_networkd_child(const Expansion& to, const Profile& profile) {
  const std::string netdev_path = networkd_path(profile.name, ".netdev");
  const std::string network_path = networkd_path(profile.name, ".network");
  const std::string_view kind = kind_of_networkd_file(to.facts).name;
  const Twin netdev_twin{{kind, netdev_path}, TwinForm::whole_file, netdev_twin_fields()};
  LiveBy by{owner_of(to.facts),
            {{kind, network_path}, TwinForm::whole_file},
            {netdev_twin},
            netplan_why_awaited(to.facts, profile, network_path)};
  if (to.facts.netplan && profile.is_absent()) by.owner.clear();  // networkd makes children, and removes none
  add_live(profile, by, to);
  if (profile.is_absent()) return;
  check_networkd_child(to.facts, profile, to.report);
  add_networkd_file(profile, netdev_path, netdev_text(Template("ipoib.netdev", escape_line), profile), to);
  add_networkd_file(profile, network_path, network_text(Template("ipoib.network", escape_line), profile), to);
}

// infiniband-mode came with netplan 0.105; without it netplan makes a profile of an Ethernet card.
void check_version(const Facts& facts, Report& report) {
  const unsigned release = platform_of(facts).release;
  const bool is_old = (facts.distribution == "debian" && release != 0 && release < 12) ||
                      (facts.distribution == "ubuntu" && release != 0 && release < 22);
  if (is_old)
    complain(
        report, "network.backend",
        fmt::format("netplan on {} cannot tell NetworkManager of InfiniBand: infiniband-mode came with netplan 0.105",
                    facts.pretty_name),
        "network: {backend: networkmanager} writes NetworkManager's own profiles");
}

// Ubuntu 22.04 came with 0.104, which refuses all files where one has a key that it does not know, and has 0.106 among
// its updates. Which one is here, only a netplan that can be run tells.
void warn_of_version(const Facts& facts, Report& report) {
  if (facts.netplan || facts.distribution != "ubuntu" || platform_of(facts).release != 22) return;
  warn(report, "network.backend",
       fmt::format("netplan 0.104, with which {} came, does not know infiniband-mode and then reads none of its files: "
                   "the next boot needs the 0.106 of the updates",
                   facts.pretty_name),
       "apt-get install netplan.io brings it; or use network: {backend: networkmanager}");
}

// Reports what the renderer cannot do: netplan cannot do it either.
void check_renderer(const Expansion& to, bool by_networkd) {
  check_backend(to.spec, by_networkd ? Backend::networkd : Backend::networkmanager, to.report);
  if (by_networkd) return;
  check_version(to.facts, to.report);
  warn_of_version(to.facts, to.report);
  for (const auto& profile : to.profiles) check_nm_mode(profile, to.report);
}

void expand_netplan(const Expansion& to) {
  const bool by_networkd = is_by_networkd(to.facts);
  check_renderer(to, by_networkd);
  const NmProfiles nm_profiles(to);
  for (const auto& profile : to.profiles) {
    if (!profile.is_child()) {
      add_port(to, profile, by_networkd);
    } else {
      by_networkd ? add_networkd_child(to, profile) : nm_profiles.add(profile);
    }
  }
  State state(netplan_file_kind, wanted_netplan_file(netplan_text(to.profiles, by_networkd)));
  to.desired.add({&netplan_file_kind, std::string(common_layout().netplan_file), std::move(state), "ipoib"});
  add_port_rules(to, {.settings = by_networkd ? unset_by_networkd() : std::vector<std::string_view>()});
}

// The file that makes an interface a port of its bond.
std::string file_of_port(const Profile& profile) {
  return profile.is_child() ? networkd_path(profile.name, ".network") : netplan_drop_in_path(profile.name);
}

// Entries that pass connection.master through to the ports' profiles were tried over NetworkManager: after somebody's
// `netplan apply`, which starts NetworkManager anew, rdmastate found steps to do.
void refuse_bond_of_nm(std::size_t index, Report& report) {
  complain(report, bond_path(index, "name"),
           "with back end netplan over NetworkManager rdmastate makes no bonds of IPoIB interfaces yet",
           "use network: {backend: networkmanager}, or netplan's renderer networkd");
}

LiveBy netplan_bond_by(const BondRecord& bond, std::size_t index, const Expansion& to) {
  const Facts& facts = to.facts;
  if (!is_by_networkd(facts)) {
    refuse_bond_of_nm(index, to.report);
    return {};
  }
  return bond_by_networkd(bond, index, to,
                          {kind_of_networkd_file(facts), owner_of(facts), file_of_port,
                           waits_for_netplan(facts, networkd_path(bond.name.value, ".network"))});
}

bool netplan_is_used(const Facts& facts, const Desired&) {
  return std::any_of(facts.claims.begin(), facts.claims.end(),
                     [](const Claim& claim) { return claim.path == common_layout().netplan_file; });
}

bool generates(const Claim& claim) {
  return claim.path.starts_with(netplan_generated_files) || claim.path.starts_with(netplan_generated_profiles);
}

// The name that netplan gives the .network file of a port; of a child the name of our own.
std::string network_file(const Profile& profile, const Facts& facts) {
  if (!is_by_networkd(facts)) return {};
  return file_name(profile.is_child() ? networkd_path(profile.name, ".network") : netplan_network_path(profile.name));
}

// The file of rdmastate for a child as networkd reads it; without entries where there is none.
Ini child_file(const Snapshot& snapshot, const std::string& name, std::string_view suffix) {
  const std::string path = networkd_path(name, suffix);
  return {path, ini::systemd, snapshot.read(path).value_or("")};
}

// Adds the record of a child whose two files are there.
void adopt_networkd_child(const Adoption& from, Adopted& to, const std::string& name, const std::string& parent) {
  const Ini network = child_file(from.snapshot, name, ".network");
  const Ini netdev = child_file(from.snapshot, name, ".netdev");
  if (!network.entries().empty() && !netdev.entries().empty())
    adopt_network_file(from, network, name, &netdev, parent, to);
}

// The record of a port with what its drop-in says: a port of a bond has no addresses, and netplan's file says so of any
// interface by the same words. Its children are added in the order of the drop-in, which is the spec's.
void add_drop_in(const Adoption& from, Adopted& to, std::size_t i) {
  const std::string port = to.spec.ipoib[i].interface_name();
  const ini::File drop_in(ini::systemd, from.snapshot.read(netplan_drop_in_path(port)).value_or(""));
  if (!drop_in.value("Network", "Bond").empty()) {
    to.spec.ipoib[i].ipv4.reset();
    to.spec.ipoib[i].ipv6.reset();
  }
  for (const auto& child : drop_in.values("Network", "IPoIB")) adopt_networkd_child(from, to, child, port);
}

// Where there is no file of rdmastate, the interfaces are adopted as they are now. What the applied spec holds is in
// `to.spec` already. NetworkManager's profiles are read all the same, since others may have added children.
void adopt_netplan(const Adoption& from, Adopted& to) {
  if (!from.snapshot.exists(std::string(common_layout().netplan_file))) return adopt_links(from, to);
  const bool is_applied = from.applied.holds("ipoib");
  if (!is_applied) adopt_netplan_ports(from, to);
  if (!is_by_networkd(from.facts)) return adopt_nm_profiles(from, to, /*children_only=*/true);
  if (is_applied) return;
  const std::size_t ports = to.spec.ipoib.size();
  for (std::size_t i = 0; i < ports; ++i) add_drop_in(from, to, i);
}

FilePlaces netplan_places() {
  return {{std::string(common_layout().netplan_file)},
          {networkd_path("*", ".network")},
          {networkd_path("*", ".netdev")},
          {netplan_drop_in_path("*")}};
}

}  // namespace

constinit const BackendRow netplan_backend{.backend = Backend::netplan,
                                           .why = why_netplan,
                                           .check = check_netplan,
                                           .bond_by = netplan_bond_by,
                                           .expand = expand_netplan,
                                           .adopt = adopt_netplan,
                                           .is_used = netplan_is_used,
                                           .generates = generates,
                                           .network_file = network_file,
                                           .places = netplan_places};

}  // namespace rdmastate
