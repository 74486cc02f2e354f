// SPDX-License-Identifier: Apache-2.0
// check_ipoib_identity() judges a record as a child (check_child) or as a port's own interface (check_port), then looks
// for two records that mean the same (check_doubles); check_ipoib_mtu() is at the end. Addresses: check_addresses.cpp.
#include "sections/ipoib/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/ascii.hpp"
#include "base/fields_overlay.hpp"
#include "sections/interface_name.hpp"

namespace rdmastate {
namespace {

// The index of a record in the spec, by the name of its interface.
using ByName = std::unordered_map<std::string, std::size_t>;

// What the check of one record needs of the whole spec.
struct Scope {
  const Spec& spec;
  ByName by_name;
  std::vector<std::string_view> parents;  ///< names that a child could mean
  Report& report;
};

ByName index_names(const Spec& spec) {
  ByName names;
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i)
    if (auto name = spec.ipoib[i].interface_name(); !name.empty()) names.emplace(std::move(name), i);
  return names;
}

// Names to suggest for a parent that is not there. Empty where there are more than any host has ports: comparing all
// with all would take minutes.
std::vector<std::string_view> parent_names(const Spec& spec) {
  constexpr std::size_t most = 64;
  std::vector<std::string_view> names;
  for (const auto& record : spec.ipoib)
    if (!record.is_child() && record.name) names.push_back(record.name->value);
  if (names.size() > most) names.clear();
  return names;
}

void check_parent(const Scope& scope, std::size_t i, const IpoibRecord& record) {
  const auto& parent = record.parent->value;
  const auto found = scope.by_name.find(parent);
  const bool is_bond = std::any_of(scope.spec.bonds.begin(), scope.spec.bonds.end(),
                                   [&](const BondRecord& bond) { return bond.name.value == parent; });
  if (found == scope.by_name.end() && is_bond) {
    complain(scope.report, ipoib_path(i, "parent"),
             fmt::format("{} is a bond, and a bond has no P_Key children", parent),
             "make a child of each of its ports, and a second bond of these children");
  } else if (found == scope.by_name.end()) {
    const auto near = nearest(parent, scope.parents);
    complain(scope.report, ipoib_path(i, "parent"), fmt::format("no record of this spec is named {}", parent),
             near.empty() ? fmt::format("add a record `- name: {}` for the port's own interface", parent)
                          : fmt::format("did you mean {}?", near));
  } else if (found->second == i) {
    complain(scope.report, ipoib_path(i, "parent"), fmt::format("{} is its own parent", parent));
  } else if (scope.spec.ipoib[found->second].is_child()) {
    complain(scope.report, ipoib_path(i, "parent"),
             fmt::format("{} is a child itself, and the kernel makes no child of a child", parent),
             fmt::format("give the port's own interface as parent: {}", scope.spec.ipoib[found->second].parent->value));
  }
}

void check_child(const Scope& scope, std::size_t i, const IpoibRecord& record) {
  check_parent(scope, i, record);
  if (record.match)
    complain(scope.report, ipoib_path(i, "match"), "a child is found by its parent and P_Key, not by match",
             "take match out");
  if (!record.pkey) {
    complain(scope.report, ipoib_path(i), "a record with parent needs a pkey",
             "add the partition's key, such as pkey: 0x8002");
    return;
  }
  if (record.pkey->value == PKey::default_partition)
    complain(
        scope.report, ipoib_path(i, "pkey"),
        "0xffff is the default partition, which the parent interface itself is in: a child in it would be its double",
        "give the partition's own key, or set the addresses on the parent");
  if (record.interface_name().size() > IfName::max_length)
    complain(scope.report, ipoib_path(i, "parent"),
             fmt::format("the child's name {} is {} characters long, and the kernel takes {}", record.interface_name(),
                         record.interface_name().size(), IfName::max_length),
             "give the child a name of its own (back end none), or the parent a shorter one");
}

void check_match(const Scope& scope, std::size_t i, const PortMatch& match) {
  const std::string path = ipoib_path(i, "match");
  const bool by_device = match.device || match.port;
  if (match.port_guid && by_device)
    complain(scope.report, path, "match takes either port_guid or device with port",
             "keep port_guid: it is the stable one");
  if (!match.port_guid && !(match.device && match.port))
    complain(scope.report, path, "match needs a port_guid, or a device with a port",
             "ibstat prints the port GUID: match: {port_guid: \"f452:1403:007b:cba1\"}");
  if (match.port && *match.port == 0) complain(scope.report, path + ".port", "ports are numbered from 1");
}

bool is_kernel_name(std::string_view name) {
  if (!name.starts_with("ib")) return false;
  return ascii::is_number(name.substr(2));
}

void check_named_by(const Scope& scope, std::size_t i, const IpoibRecord& record) {
  if (!record.named_by) return;
  const std::string path = ipoib_path(i, "named_by");
  if (record.is_child())
    return complain(scope.report, path, "a child is made with its name, and nothing renames it", "take named_by out");
  if (!record.match)
    return complain(scope.report, path,
                    "without match the interface is the one that has this name, and nothing renames it",
                    "add match: with the port's GUID, or take named_by out");
}

void check_port(const Scope& scope, std::size_t i, const IpoibRecord& record) {
  if (record.pkey)
    complain(scope.report, ipoib_path(i, "pkey"),
             "pkey needs a parent: a port's own interface is in the default partition",
             "add parent: with the name of the port's own interface");
  if (record.is_absent())
    complain(scope.report, ipoib_path(i, "absent"),
             "a port's own interface belongs to the hardware and cannot be removed",
             "leave the record out: what the spec does not name is left alone");
  if (!record.name)
    complain(scope.report, ipoib_path(i), "a record needs a name, or a parent and a pkey", "add name: mlx4_ib0");
  if (record.match) check_match(scope, i, *record.match);
  if (record.match && record.name && is_kernel_name(record.name->value))
    warn(scope.report, ipoib_path(i, "name"),
         fmt::format("{} is a name the kernel gives by itself, to whichever interface comes first", record.name->value),
         "choose a name outside the kernel's own pattern, such as mlx4_ib0");
}

void check_absent(const Scope& scope, std::size_t i, const IpoibRecord& record) {
  if (says_anything(record.settings()) || record.mtu || record.ipv4 || record.ipv6 || record.profile ||
      record.profile_settings)
    complain(scope.report, ipoib_path(i), "a record with absent: true needs its identity alone",
             "keep parent and pkey (and name), take the rest out");
}

// Reports the second of two records for one thing, and says where the first stands.
void check_once(std::map<std::string, std::size_t>& seen, const std::string& what, std::size_t i,
                std::string_view field, Report& report) {
  const auto [first, is_new] = seen.emplace(what, i);
  if (!is_new)
    complain(report, ipoib_path(i, field),
             fmt::format("{} is configured by {} already", what, ipoib_path(first->second)),
             "one record per interface");
}

void check_doubles(const Scope& scope) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < scope.spec.ipoib.size(); ++i) {
    const auto& record = scope.spec.ipoib[i];
    const std::string name = record.interface_name();
    if (record.is_child() && record.pkey) {
      check_once(seen, "P_Key " + to_text(*record.pkey) + " on " + record.parent->value, i, "pkey", scope.report);
      if (!record.name) continue;
    }
    if (!name.empty()) check_once(seen, "interface " + name, i, record.name ? "name" : "", scope.report);
    if (!record.match) continue;
    if (record.match->port_guid)
      check_once(seen, "port " + to_text(*record.match->port_guid), i, "match.port_guid", scope.report);
    if (record.match->device && record.match->port)
      check_once(seen, fmt::format("{} port {}", *record.match->device, *record.match->port), i, "match", scope.report);
  }
}

// NetworkManager allows profiles of one name, but `nmcli connection up NAME` takes either.
void check_profile_names(const Scope& scope) {
  for (const auto& [first, second] : shared_profile_names(scope.spec))
    complain(scope.report, ipoib_path(second, "profile"),
             fmt::format("the profile of {} is named {} too, and nmcli would take either for that name",
                         ipoib_path(first), scope.spec.ipoib[second].profile->value),
             "give each profile a name of its own");
}

}  // namespace

std::string ipoib_path(std::size_t index, std::string_view field) {
  std::string path = "ipoib[";
  path.append(std::to_string(index)).append(1, ']');
  return field.empty() ? path : path.append(1, '.').append(field);
}

std::vector<RecordPair> shared_profile_names(const Spec& spec) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i)
    if (!spec.ipoib[i].profile && !spec.ipoib[i].is_absent()) seen.emplace(spec.ipoib[i].interface_name(), i);
  std::vector<RecordPair> shared;
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    if (!spec.ipoib[i].profile) continue;
    const auto [first, is_new] = seen.emplace(spec.ipoib[i].profile->value, i);
    if (!is_new) shared.push_back({first->second, i});
  }
  return shared;
}

void check_ipoib_identity(const Spec& spec, Report& report) {
  const Scope scope{spec, index_names(spec), parent_names(spec), report};
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    if (record.is_child())
      check_child(scope, i, record);
    else
      check_port(scope, i, record);
    if (record.name) check_interface_name(*record.name, ipoib_path(i, "name"), report);
    check_named_by(scope, i, record);
    if (record.is_absent()) check_absent(scope, i, record);
  }
  check_doubles(scope);
  check_profile_names(scope);
}

namespace {

void check_mtu(const IpoibRecord& record, std::size_t i, Report& report) {
  constexpr std::uint32_t smallest = 72;              // ETH_MIN_MTU + 4, ipoib_change_mtu
  constexpr std::uint32_t largest = 65520;            // IPOIB_CM_MTU
  constexpr std::uint32_t largest_datagram = 4092;    // 4096 less the 4-byte IPoIB header
  constexpr std::uint32_t largest_omni_path = 10236;  // 10240 less the header
  constexpr std::uint32_t smallest_ipv6 = 1280;       // IPV6_MIN_MTU
  const std::uint32_t mtu = *record.mtu;
  const bool datagram = record.judged_mode() == IpoibMode::datagram;
  if (mtu < smallest || mtu > largest) {
    complain(report, ipoib_path(i, "mtu"),
             fmt::format("MTU {} is outside what IPoIB takes: {} to {}", mtu, smallest,
                         datagram ? largest_datagram : largest));
  } else if (report.is_unread(ipoib_path(i, "mode"))) {
    return;  // the mode could not be read, which is reported: it may have been the one that allows this MTU
  } else if (datagram && mtu > largest_omni_path) {
    complain(report, ipoib_path(i, "mtu"),
             fmt::format("MTU {} needs mode connected: in datagram mode the largest is {}", mtu, largest_datagram),
             "set mode: connected, or mtu: 2044 (4092 where the partition's multicast group has a 4096-byte MTU)");
  } else if (datagram && mtu > largest_datagram) {
    warn(report, ipoib_path(i, "mtu"),
         fmt::format("MTU {} in datagram mode is taken by Omni-Path only; InfiniBand's largest is {}", mtu,
                     largest_datagram));
  }
  if (mtu < smallest_ipv6 && !(record.ipv6 && record.ipv6->method == Ipv6Method::disabled))
    warn(report, ipoib_path(i, "mtu"),
         fmt::format("below MTU 1280 the kernel turns IPv6 off on the interface; this is {}", mtu),
         "set ipv6: {method: disabled} if that is meant");
}

}  // namespace

void check_ipoib_mtu(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i)
    if (spec.ipoib[i].mtu) check_mtu(spec.ipoib[i], i, report);
}

}  // namespace rdmastate
