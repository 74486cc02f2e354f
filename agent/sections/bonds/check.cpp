// SPDX-License-Identifier: Apache-2.0
// check_bonds() judges each bond by itself (check_mode, check_monitor), its ports as records of `ipoib` (check_port)
// and beside each other (check_alike), then looks for names and ports that are given twice.
#include "sections/bonds/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/one_of.hpp"
#include "sections/interface_name.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t most_targets = 16;               // BOND_MAX_ARP_TARGETS
constexpr std::uint32_t longest_interval = INT32_MAX;  // ms, of both monitors (bond_options.c: bond_intmax_tbl)

const IpoibRecord* record_named(const Spec& spec, const IfName& name) {
  const auto found = std::find_if(spec.ipoib.begin(), spec.ipoib.end(),
                                  [&](const IpoibRecord& one) { return one.interface_name() == name.value; });
  return found == spec.ipoib.end() ? nullptr : &*found;
}

void check_mode(const BondRecord& bond, std::size_t i, Report& report) {
  if (bond.mode.value_or(BondMode::active_backup) == BondMode::active_backup) return;
  complain(report, bond_path(i, "mode"),
           fmt::format("mode {} needs ports whose hardware address can be set, and that of IPoIB cannot",
                       to_text(*bond.mode)),
           "write mode: active-backup, or leave it out");
}

void check_targets(const BondRecord& bond, std::size_t i, Report& report) {
  if (!bond.arp_targets) return;
  const std::string path = bond_path(i, "arp_targets");
  if (bond.arp_targets->size() > most_targets)
    complain(report, path, fmt::format("{} targets, and the kernel takes {}", bond.arp_targets->size(), most_targets));
  for (std::size_t n = 0; n < bond.arp_targets->size(); ++n) {
    const IpAddress& target = (*bond.arp_targets)[n];
    const std::string here = fmt::format("{}[{}]", path, n);
    if (target.family != Family::v4)
      complain(report, here, fmt::format("{} is no IPv4 address, and ARP asks for those alone", to_text(target)));
    if (is_one_of(to_text(target), {"0.0.0.0", "255.255.255.255"}))
      complain(report, here, fmt::format("{} is the address of no host, and the kernel refuses it", to_text(target)));
    if (std::count(bond.arp_targets->begin(), bond.arp_targets->begin() + static_cast<std::ptrdiff_t>(n), target) != 0)
      complain(report, here, fmt::format("{} is in the list already", to_text(target)), "take one of them out");
  }
}

void check_monitor(const BondRecord& bond, std::size_t i, Report& report) {
  if (bond.miimon && bond.arp_interval)
    complain(report, bond_path(i, "arp_interval"), "a bond has one monitor: miimon or arp_interval",
             "take one of them out");
  if (bond.miimon == 0U || bond.arp_interval == 0U)
    complain(report, bond_path(i, bond.miimon == 0U ? "miimon" : "arp_interval"),
             "0 turns the monitor off, and a bond without one never leaves a port that has failed",
             "write miimon: 100, or leave it out");
  for (const auto& [field, value] : {std::pair("miimon", bond.miimon), std::pair("arp_interval", bond.arp_interval)})
    if (value.value_or(0) > longest_interval)
      complain(report, bond_path(i, field),
               fmt::format("{} ms are more than the {} that the kernel takes", *value, longest_interval));
  const bool has_targets = bond.arp_targets && !bond.arp_targets->empty();
  if (bond.arp_interval && !has_targets && !report.is_unread(bond_path(i, "arp_targets")))
    complain(report, bond_path(i, "arp_interval"), "ARP monitoring needs addresses to ask",
             "add arp_targets: with one or more addresses on the bond's network that always answer");
  if (!bond.arp_interval && has_targets && !report.is_unread(bond_path(i, "arp_interval")))
    complain(report, bond_path(i, "arp_targets"), "addresses are asked by ARP monitoring alone",
             "add arp_interval: 1000, or take arp_targets out");
  check_targets(bond, i, report);
}

std::vector<std::string_view> possible_ports(const Spec& spec, std::vector<std::string>& names) {
  constexpr std::size_t most = 64;  // more are not compared
  for (const auto& record : spec.ipoib)
    if (names.size() < most && !record.is_absent()) names.push_back(record.interface_name());
  return {names.begin(), names.end()};
}

void complain_of_unknown(const Spec& spec, const IfName& name, const std::string& path, Report& report) {
  for (const auto& other : spec.bonds)
    if (other.name == name)
      return complain(report, path, fmt::format("{} is a bond, and the kernel makes no bond of bonds", name.value),
                      "give the interfaces themselves as ports");
  std::vector<std::string> names;
  const auto near = nearest(name.value, possible_ports(spec, names));
  complain(report, path, fmt::format("no record of `ipoib` is named {}", name.value),
           near.empty()
               ? fmt::format("add a record `- name: {}` to ipoib: a bond's ports are records there", name.value)
               : fmt::format("did you mean {}?", near));
}

template <class Block>
bool has_addresses(const std::optional<Block>& block) {
  using Method = decltype(block->method);
  return block && (block->method == Method::manual || block->method == Method::automatic);
}

void check_port(const Spec& spec, const IfName& name, const std::string& path, Report& report) {
  const IpoibRecord* port = record_named(spec, name);
  if (port == nullptr) return complain_of_unknown(spec, name, path, report);
  if (port->is_absent())
    complain(report, path, fmt::format("{} is absent: true in ipoib", name.value), "take one of them out");
  if (has_addresses(port->ipv4) || has_addresses(port->ipv6))
    complain(report, path, fmt::format("{} has addresses of its own, and the port of a bond has none", name.value),
             "move ipv4 and ipv6 to the bond");
}

std::string mode_text(const IpoibRecord& port) {
  const auto mode = port.judged_mode();
  return mode ? "mode " + to_text(*mode) : "no mode";
}

std::string mtu_text(const IpoibRecord& port) { return port.mtu ? fmt::format("MTU {}", *port.mtu) : "no MTU"; }

// The kernel gives all ports the bond's MTU, and sends in the mode of the one that is active.
void check_alike(const Spec& spec, const BondRecord& bond, std::size_t i, Report& report) {
  const IpoibRecord* first = nullptr;
  for (std::size_t n = 0; n < bond.ports.size(); ++n) {
    const IpoibRecord* port = record_named(spec, bond.ports[n]);
    if (port == nullptr) continue;
    if (first == nullptr) first = port;
    const auto compare = [&](const std::string& one, const std::string& other, const char* field) {
      if (one != other)
        complain(report, bond_path(i, fmt::format("ports[{}]", n)),
                 fmt::format("{} has {} in ipoib and {} has {}: the ports of a bond have the same", bond.ports[n].value,
                             one, first->interface_name(), other),
                 fmt::format("give both the same {}", field));
    };
    compare(mode_text(*port), mode_text(*first), "mode");
    compare(mtu_text(*port), mtu_text(*first), "mtu");
  }
}

// A port in this bond or, by `seen`, in one before it.
void check_once(const IfName& name, const std::string& path, std::map<std::string, std::string>& seen, Report& report) {
  const auto [first, is_new] = seen.emplace(name.value, path);
  if (!is_new)
    complain(report, path, fmt::format("{} is a port at {} already", name.value, first->second),
             "an interface is a port of one bond, once");
}

void check_ports(const Spec& spec, const BondRecord& bond, std::size_t i, std::map<std::string, std::string>& seen,
                 Report& report) {
  const std::string path = bond_path(i, "ports");
  if (bond.ports.empty() && !report.is_unread(path))
    complain(report, path, "a bond needs ports", "add ports: with the names of two records of ipoib");
  for (std::size_t n = 0; n < bond.ports.size(); ++n) {
    const std::string here = fmt::format("{}[{}]", path, n);
    if (bond.ports[n].value.empty()) continue;
    check_once(bond.ports[n], here, seen, report);
    check_port(spec, bond.ports[n], here, report);
  }
  if (bond.ports.size() == 1)
    warn(report, path, "with one port nothing takes over when it fails", "add the name of a second record of ipoib");
  if (bond.primary && !report.is_unread(path) &&
      std::find(bond.ports.begin(), bond.ports.end(), *bond.primary) == bond.ports.end())
    complain(report, bond_path(i, "primary"), fmt::format("{} is none of the bond's ports", bond.primary->value),
             "name one of ports");
  check_alike(spec, bond, i, report);
}

void check_name(const Spec& spec, std::size_t i, Report& report) {
  const IfName& name = spec.bonds[i].name;
  const std::string path = bond_path(i, "name");
  if (name.value.empty()) return;
  check_interface_name(name, path, report);
  if (record_named(spec, name) != nullptr)
    complain(report, path, fmt::format("a record of ipoib is named {} too", name.value),
             "give one of them another name");
  for (std::size_t n = 0; n < i; ++n)
    if (spec.bonds[n].name == name)
      complain(report, path, fmt::format("bond {} is configured by {} already", name.value, bond_path(n)),
               "one record per bond");
}

}  // namespace

std::string bond_path(std::size_t index, std::string_view field) {
  return fmt::format("bonds[{}]{}{}", index, field.empty() ? "" : ".", field);
}

void check_bonds(const Spec& spec, Report& report) {
  std::map<std::string, std::string> ports;
  for (std::size_t i = 0; i < spec.bonds.size(); ++i) {
    check_name(spec, i, report);
    check_mode(spec.bonds[i], i, report);
    check_ports(spec, spec.bonds[i], i, ports, report);
    check_monitor(spec.bonds[i], i, report);
  }
}

std::uint32_t bond_mtu(const Spec& spec, const BondRecord& bond) {
  constexpr std::uint32_t connected = 65520;  // IPOIB_CM_MTU
  constexpr std::uint32_t datagram = 2044;    // of a partition without `mtu=`
  const IpoibRecord* port = bond.ports.empty() ? nullptr : record_named(spec, bond.ports.front());
  if (port != nullptr && port->mtu) return *port->mtu;
  return port != nullptr && port->judged_mode() == IpoibMode::connected ? connected : datagram;
}

}  // namespace rdmastate
