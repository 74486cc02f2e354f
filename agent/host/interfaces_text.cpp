// SPDX-License-Identifier: Apache-2.0
#include "host/interfaces_text.hpp"

#include <algorithm>
#include <optional>

#include "base/lines.hpp"
#include "base/text.hpp"

namespace rdmastate {
namespace {

using Words = std::vector<std::string>;

template <class T>
std::optional<T> read_as(const std::string& text) {
  T value;
  if (Text<T>::read({text, true}, value)) return std::nullopt;
  return value;
}

std::optional<IpInterface> address_in(const std::string& text) {
  if (auto whole = read_as<IpInterface>(text)) return whole;
  const auto bare = read_as<IpAddress>(text);
  if (!bare) return std::nullopt;
  return IpInterface{*bare, static_cast<std::uint8_t>(bare->family == Family::v4 ? 32 : 128)};
}

// "up /bin/ip -4 route replace 203.0.113.0/24 via ...", as rdmastate writes it.
std::optional<IpNetwork> route_in(const Words& line) {
  const auto found = std::find(line.begin(), line.end(), "replace");
  if (found == line.end() || found + 1 == line.end()) return std::nullopt;
  return read_as<IpNetwork>(found[1]);
}

InterfaceStanzas& stanzas_of(const std::string& name, std::vector<InterfaceStanzas>& all) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const InterfaceStanzas& one) { return one.name == name; });
  if (found != all.end()) return *found;
  all.push_back({name, {}, {}, false});
  return all.back();
}

void add_line(const Words& line, InterfaceStanzas& to) {
  if (line[0] == "gateway") to.has_gateway = true;
  if (line[0] == "address")
    if (const auto address = address_in(line[1])) to.addresses.push_back(*address);
  if (line[0] == "up")
    if (const auto route = route_in(line)) to.routes.push_back(*route);
}

// What ends an interface's stanza without beginning one (interfaces(5)).
bool ends_stanza(const std::string& word) {
  return word == "auto" || word == "mapping" || word == "source" || word == "source-directory" ||
         word.starts_with("allow-") || word.starts_with("no-");
}

}  // namespace

bool InterfaceStanzas::names(const IpAddress& address) const {
  return std::any_of(addresses.begin(), addresses.end(),
                     [&](const IpInterface& one) { return one.address == address; });
}

bool InterfaceStanzas::leads_to(const IpNetwork& network) const {
  return (network.is_default() && has_gateway) || std::find(routes.begin(), routes.end(), network) != routes.end();
}

std::vector<InterfaceStanzas> read_interfaces_text(std::string_view text) {
  std::vector<InterfaceStanzas> all;
  std::string name;  // of the present stanza; empty: none has begun
  for_lines(text, [&](std::string_view raw) {
    const Words line = words(trimmed(raw));
    if (line.size() < 2 || line[0].starts_with('#')) return;
    if (line[0] == "iface") {
      name = line[1];
      stanzas_of(name, all);
    } else if (ends_stanza(line[0])) {
      name.clear();
    } else if (!name.empty()) {
      add_line(line, stanzas_of(name, all));
    }
  });
  return all;
}

}  // namespace rdmastate
