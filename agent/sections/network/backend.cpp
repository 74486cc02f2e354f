// SPDX-License-Identifier: Apache-2.0
#include "sections/network/backend.hpp"

#include <fmt/format.h>

#include "sections/ipoib_check.hpp"

namespace rdmastate {
namespace {

void check_none(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    const auto no_resolver = [&](std::string_view field) {
      complain(report, ipoib_path(i, field), "back end none has no resolver to give this to",
               "take it out, or use network: {backend: networkmanager}");
    };
    if (record.ipv4 && record.ipv4->method == Ipv4Method::automatic)
      complain(report, ipoib_path(i, "ipv4.method"), "back end none has no DHCP client",
               "use method: manual, or network: {backend: networkmanager}");
    if (record.ipv4 && !record.ipv4->dns.empty()) no_resolver("ipv4.dns");
    if (record.ipv4 && !record.ipv4->search.empty()) no_resolver("ipv4.search");
    if (record.ipv6 && !record.ipv6->dns.empty()) no_resolver("ipv6.dns");
    if (record.ipv6 && !record.ipv6->search.empty()) no_resolver("ipv6.search");
  }
}

void check_networkmanager(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    if (record.umcast)
      complain(report, ipoib_path(i, "umcast"), "umcast on back end networkmanager is not in this version",
               "take it out, or use network: {backend: none}");
    if (!record.is_child() || !record.pkey || !record.name) continue;
    const std::string must_be = child_name(record.parent->value, *record.pkey);
    if (record.name->value != must_be)
      complain(report, ipoib_path(i, "name"),
               fmt::format("NetworkManager names this child {} and takes no other name", must_be),
               fmt::format("leave name out, or write name: {}", must_be));
  }
}

// systemd 252 ignores [IPoIB] in .network files ("Unknown section"), so nothing of networkd's sets these on a port.
void check_networkd(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    if (record.is_child()) continue;
    if (record.mode == IpoibMode::connected)
      complain(report, ipoib_path(i, "mode"),
               "systemd-networkd does not set the mode of a port's own interface, and ib_ipoib begins with datagram",
               "use mode: datagram, or network: {backend: networkmanager} or {backend: none}");
    if (record.umcast)
      complain(report, ipoib_path(i, "umcast"), "systemd-networkd does not set umcast of a port's own interface",
               "take it out, or use network: {backend: none}");
  }
}

// What would move the same interfaces behind our back, and has no back end in this version.
const Manager* other_owner(const Facts& facts) {
  for (const auto& manager : facts.managers)
    if (manager.name != "networkmanager" && manager.name != "networkd" && (manager.running || manager.enabled))
      return &manager;
  return nullptr;
}

}  // namespace

void check_backend(const Spec& spec, Backend backend, Report& report) {
  switch (backend) {
    case Backend::none:
      return check_none(spec, report);
    case Backend::networkmanager:
      return check_networkmanager(spec, report);
    case Backend::networkd:
      return check_networkd(spec, report);
    case Backend::automatic:
      return;
  }
}

std::optional<Backend> choose_backend(const Spec& spec, const Facts& facts, Report& report) {
  if (spec.backend() != Backend::automatic) return spec.backend();
  const auto is_here = [&](std::string_view name) {
    const Manager* manager = facts.manager(name);
    return manager != nullptr && (manager->running || manager->enabled);
  };
  if (is_here("networkmanager")) return Backend::networkmanager;
  if (is_here("networkd")) return Backend::networkd;
  const Manager* owner = spec.ipoib.empty() ? nullptr : other_owner(facts);
  if (owner == nullptr) return Backend::none;
  complain(report, "network.backend",
           fmt::format("{} {} on this host ({}), and this version has no back end for it", owner->name,
                       owner->running ? "runs" : "is enabled", owner->evidence),
           "network: {backend: none} lets rdmastate move the interfaces itself, where that program leaves them alone");
  return std::nullopt;
}

}  // namespace rdmastate
