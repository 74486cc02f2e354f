// SPDX-License-Identifier: Apache-2.0
// For each claim of the host (Facts::claims): which interfaces of the spec does it mean (claimed_by), and does it count
// there (counts)? If so the claim's file becomes a Claimant. A claim on another child goes into the list where the spec
// purges children.
#include "sections/ipoib/backends/claimants.hpp"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "host/claims.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "resources/registry.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {
namespace {

// An interface of the spec that a claim may mean.
struct Interface {
  ClaimedInterface look;
  const Profile* profile;  ///< nullptr: it is a bond
};

ClaimedInterface claimed_interface(const Profile& profile, const Facts& facts) {
  const LinkId& id = profile.id;
  ClaimedInterface one{profile.name, id.guid, /*pci=*/"", /*driver=*/"", profile.is_child()};
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports) {
      const bool is_it = id.guid.value != 0 ? port.guid == id.guid : device.name == id.device && port.number == id.port;
      if (!is_it) continue;
      one.guid = port.guid;
      one.pci = device.pci;
      one.driver = device.driver;
    }
  return one;
}

ClaimedInterface claimed_interface(const BondRecord& bond) {
  ClaimedInterface one{bond.name.value};
  one.is_bond = true;
  return one;
}

bool is_here(const Facts& facts, std::string_view name) {
  const Manager* manager = facts.manager(name);
  return manager != nullptr && manager->is_here();
}

// Whether the claim means one interface by its address or path, which are as exact as a name.
bool names_one(const Claim& claim) {
  const auto is_exact = [](const std::string& pattern) { return pattern.find_first_of("*?[") == std::string::npos; };
  const auto asks = claim_words(claim).asks;
  return std::any_of(asks.begin(), asks.end(), [&](const Selector& one) {
    return (one.by == "MACAddress" || one.by == "Path") && !one.none_of &&
           std::all_of(one.patterns.begin(), one.patterns.end(), is_exact);
  });
}

// Whether the claim's program would configure the interface by it. A claim by a pattern counts where that program is on
// this host. Where networkd reads the back end's files, its patterns count only if it reads them before ours.
bool counts(const Claim& claim, const Profile* profile, const BackendRow& row, const Facts& facts) {
  if (claim.manager == "udev") return profile != nullptr && profile->is_renamed();  // else the spec gives it no name
  if (!is_pattern(claim) || names_one(claim)) return true;
  if (claim.manager == "networkd" && profile != nullptr)
    if (const std::string ours = row.network_file(*profile, facts); !ours.empty()) return file_name(claim.path) < ours;
  return claim.manager == to_text(row.backend) || is_here(facts, claim.manager);
}

// Whether the file may configure several interfaces: networkd's do by a pattern that is no address. A profile of
// NetworkManager's runs on one interface at a time.
bool is_for_many(const Claim& claim) {
  const bool by_address = claim.interface.find("MACAddress=") != std::string::npos;
  return claim.manager == "networkd" && is_pattern(claim) && !by_address;
}

// Knows the interfaces that each claim means; find() adds the claimants. With a thousand children there are as many
// claims, mostly our own, so claims by name are looked up in a map.
class Finder {
 public:
  Finder(const Expansion& to, const BackendRow& row) : to_(to), row_(row) {
    for (const auto& profile : to.profiles) add({claimed_interface(profile, to.facts), &profile});
    for (const auto& bond : to.spec.bonds) add({claimed_interface(bond), nullptr});
    claimed_.reserve(to.facts.claims.size());
    for (const auto& claim : to.facts.claims)
      if (claimed_.emplace_back(claimed_by(claim)).empty()) shared_.insert(claim.path);
  }

  void find() {
    for (std::size_t at = 0; at < claimed_.size(); ++at) {
      const Claim& claim = to_.facts.claims[at];
      if (row_.generates(claim) || is_regenerated(claim)) continue;
      const auto& claimed = claimed_[at];
      for (const std::size_t i : claimed)
        if (counts(claim, interfaces_[i].profile, row_, to_.facts)) add(claim, i);
      if (claimed.empty() && to_.spec.purges(PurgeDomain::ipoib) && is_child_of_ours(claim)) add_purged(claim);
    }
  }

 private:
  void add(Interface one) {
    by_name_.emplace(one.look.name, interfaces_.size());
    interfaces_.push_back(std::move(one));
  }

  // Whether netplan generated the claim's file and can be told to generate now. Then a step that removes the file in
  // /etc/netplan which it comes from makes netplan remove or rewrite it, so it is no claimant of its own.
  bool is_regenerated(const Claim& claim) const { return to_.facts.netplan && netplan_backend.generates(claim); }

  // The indices of the spec's interfaces that the claim is about.
  std::vector<std::size_t> claimed_by(const Claim& claim) const {
    std::vector<std::size_t> claimed;
    if (!is_pattern(claim)) {
      if (const auto found = by_name_.find(claim.interface); found != by_name_.end()) claimed.push_back(found->second);
      return claimed;
    }
    const ClaimWords words = claim_words(claim);
    for (std::size_t i = 0; i < interfaces_.size(); ++i)
      if (is_about(claim, words, interfaces_[i].look)) claimed.push_back(i);
    return claimed;
  }

  // Whether the claim's file is also about other interfaces or other things.
  bool holds_more(const Claim& claim) const {
    return claim.path == "/etc/network/interfaces" || claim.manager == "netplan" || is_for_many(claim) ||
           shared_.contains(claim.path);
  }

  // Adds the claim's file as one that configures interface `i`.
  void add(const Claim& claim, std::size_t i) {
    Claimant one{claim, &kind_of_claim(claim)};
    one.holds_more = holds_more(claim);
    if (netplan_backend.generates(claim)) one.made_from = common_layout().netplan_file;
    const std::string& name = interfaces_[i].look.name;
    if (parent_path(claim.path) == common_layout().nm_profiles)
      one.could_be = fmt::format("{}/{}.nmconnection", common_layout().nm_profiles, name);
    if (claim.manager == "networkd" && parent_path(claim.path) == common_layout().networkd_files)
      one.could_be = networkd_path(name, is_network_file(claim.path) ? ".network" : ".netdev");
    one.claim.interface = claim.interface == name ? name : fmt::format("{} ({})", name, claim.interface);
    if (known_.emplace(claim.path, i).second) to_.desired.claimants.push_back(std::move(one));
  }

  // Whether the claim is about a child of a port of the spec, such as "mlx4_ib0.8005".
  bool is_child_of_ours(const Claim& claim) const {
    constexpr std::size_t pkey_length = 5;  // of ".8005"
    if (claim.interface.size() <= pkey_length) return false;
    const std::size_t dot = claim.interface.size() - pkey_length;
    const bool is_pkey = claim.interface[dot] == '.' &&
                         claim.interface.find_first_not_of("0123456789abcdef", dot + 1) == std::string::npos;
    const auto parent = is_pkey ? by_name_.find(claim.interface.substr(0, dot)) : by_name_.end();
    return parent != by_name_.end() && is_port(interfaces_[parent->second]);
  }

  static bool is_port(const Interface& one) { return one.profile != nullptr && !one.look.is_child; }

  // Adds the file of a child that the spec does not name.
  void add_purged(const Claim& claim) {
    Claimant one{claim, &kind_of_claim(claim)};
    one.holds_more = claim.path == "/etc/network/interfaces" || claim.manager == "netplan";
    one.purged = true;
    to_.desired.claimants.push_back(std::move(one));
  }

  const Expansion& to_;
  const BackendRow& row_;
  std::vector<Interface> interfaces_;                     ///< of the spec
  std::unordered_map<std::string, std::size_t> by_name_;  ///< indices of interfaces_
  std::vector<std::vector<std::size_t>> claimed_;         ///< for each of the facts' claims: indices of interfaces_
  std::set<std::string> shared_;                          ///< files that also claim an interface outside of the spec
  std::set<std::pair<std::string, std::size_t>> known_;   ///< added already, by file and interface
};

}  // namespace

void find_claimants(const Expansion& to, const BackendRow& row) { Finder(to, row).find(); }

}  // namespace rdmastate
