// SPDX-License-Identifier: Apache-2.0
#include "host/firewall.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace rdmastate {
namespace {

bool is_covered(const FirewallPorts& port, const std::vector<FirewallPorts>& entries) {
  return std::any_of(entries.begin(), entries.end(), [&](const FirewallPorts& one) { return one.covers(port); });
}

bool has_protocol(const std::vector<std::string>& protocols, const std::string& protocol) {
  return std::find(protocols.begin(), protocols.end(), protocol) != protocols.end();
}

std::optional<std::uint16_t> number(std::string_view text) {
  if (text == "nfsrdma") return std::uint16_t{20049};  // IANA's name of it, which firewalld takes too
  constexpr std::uint32_t largest = 65535;
  std::uint32_t port = 0;
  if (!ascii::is_number(text)) return std::nullopt;
  while (text.size() > 1 && text.front() == '0') text.remove_prefix(1);
  if (Text<std::uint32_t>::read({std::string(text), true}, port) || port > largest) return std::nullopt;
  return static_cast<std::uint16_t>(port);
}

}  // namespace

bool FirewallPorts::covers(const FirewallPorts& others) const {
  return protocol == others.protocol && first <= others.first && others.last <= last;
}

std::string to_text(const FirewallPorts& ports) {
  if (ports.first == ports.last) return fmt::format("{}/{}", ports.first, ports.protocol);
  return fmt::format("{}-{}/{}", ports.first, ports.last, ports.protocol);
}

std::optional<FirewallPorts> firewall_ports(std::string_view range, std::string_view protocol) {
  const std::size_t dash = range.find('-');
  const auto first = number(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  return FirewallPorts{std::min(*first, *last), std::max(*first, *last), std::string(protocol)};
}

bool FirewallZone::has(const FirewallPorts& port) const {
  return std::find(ports.begin(), ports.end(), port) != ports.end();
}

std::string FirewallZone::let_in_by(const FirewallPorts& port) const {
  for (const auto& one : ports)
    if (one != port && one.covers(port)) return fmt::format("the ports {}", to_text(one));
  for (const auto& one : services)
    if (is_covered(port, one.ports) || has_protocol(one.protocols, port.protocol))
      return fmt::format("service {}", one.name);
  if (has_protocol(protocols, port.protocol)) return fmt::format("protocol {}", port.protocol);
  return lets_all_in ? "target ACCEPT" : "";
}

}  // namespace rdmastate
