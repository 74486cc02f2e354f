// SPDX-License-Identifier: Apache-2.0
// What each back end has no way to express: rules that need no host.
#include <fmt/format.h>

#include <algorithm>

#include "sections/ipoib_check.hpp"
#include "sections/network/backend.hpp"

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

void check_usual_name(const IpoibRecord& record, std::size_t i, std::string_view owner, Report& report) {
  if (!record.is_child() || !record.pkey || !record.name) return;
  const std::string must_be = child_name(record.parent->value, *record.pkey);
  if (record.name->value != must_be)
    complain(report, ipoib_path(i, "name"),
             fmt::format("{} names this child {} and takes no other name", owner, must_be),
             fmt::format("leave name out, or write name: {}", must_be));
}

void check_networkmanager(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    if (record.umcast)
      complain(report, ipoib_path(i, "umcast"), "umcast on back end networkmanager is not in this version",
               "take it out, or use network: {backend: none}");
    check_usual_name(record, i, "NetworkManager", report);
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

// '=' and '/' mean something in `auto`, '+' and '@' in what ifup is told, '#' is a comment (interfaces(5), ifup(8)).
bool can_be_named(std::string_view name) { return name.find_first_of("#+=@") == std::string_view::npos; }

template <class Block>
bool gives_dns(const std::optional<Block>& block) {
  return block && (!block->dns.empty() || !block->search.empty());
}

void warn_of_resolver(const IpoibRecord& record, std::size_t i, Report& report) {
  const bool four = gives_dns(record.ipv4);
  if (!four && !gives_dns(record.ipv6)) return;
  warn(report, ipoib_path(i, four ? "ipv4" : "ipv6"),
       "ifupdown hands dns and search to resolvconf or systemd-resolved: where neither is installed nobody reads them",
       "install resolvconf where systemd-resolved does not run");
}

void check_ifupdown(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    check_usual_name(record, i, "ifupdown", report);
    if (record.name && !can_be_named(record.name->value))
      complain(
          report, ipoib_path(i, "name"),
          "ifupdown takes letters, digits, '-', '_' and '.' in an interface's name: other characters mean something "
          "in its files",
          "give it another name, or use network: {backend: networkd}");
    warn_of_resolver(record, i, report);
  }
}

void check_netplan(const Spec& spec, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    const auto& record = spec.ipoib[i];
    check_usual_name(record, i, "netplan", report);
    if (!record.is_child() && record.umcast)
      complain(report, ipoib_path(i, "umcast"), "netplan has no key for umcast of a port's own interface",
               "take it out, or use network: {backend: ifupdown} or {backend: none}");
  }
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
    case Backend::ifupdown:
      return check_ifupdown(spec, report);
    case Backend::netplan:
      return check_netplan(spec, report);
    case Backend::automatic:
      return;
  }
}

}  // namespace rdmastate
