// SPDX-License-Identifier: Apache-2.0
// First the functions that print and read one key's values, then the table of [ipv4] and [ipv6] that names them. The
// table of [infiniband], link_keys, has them inline.
#include "sections/ipoib/backends/networkmanager/keyfile_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"
#include "resources/nm_profile/keyfile_family.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/backends/print.hpp"

namespace rdmastate {
namespace {

using Texts = std::vector<std::string>;

// NetworkManager writes p-key in decimal; people write 0x8002.
std::optional<PKey> pkey_from(const std::string& text) {
  const auto number = value_from<std::uint32_t>(text);
  if (number && *number > 0 && *number <= PKey::default_partition)
    return PKey{static_cast<std::uint16_t>(*number | 0x8000U)};
  return value_from<PKey>(text);
}

// Key, field, print, take.
constexpr KeyfileLinkKey link_keys[] = {
    {"transport-mode", "mode", [](const IpoibRecord& record) { return text_or_empty(record.mode); },
     [](const std::string& text, IpoibRecord& record) { record.mode = value_from<IpoibMode>(text); }},
    {"mtu", "mtu", [](const IpoibRecord& record) { return text_or_empty(record.mtu); },
     [](const std::string& text, IpoibRecord& record) {
       if (text != "0") record.mtu = value_from<std::uint32_t>(text);  // 0: automatic
     }},
    {"p-key", "pkey", [](const IpoibRecord& record) { return record.pkey ? std::to_string(record.pkey->value) : ""; },
     [](const std::string& text, IpoibRecord& record) { record.pkey = pkey_from(text); }},
    {"parent", "parent", [](const IpoibRecord& record) { return text_or_empty(record.parent); },
     [](const std::string& text, IpoibRecord& record) { record.parent = IfName{text}; }},
};

// As resources/nm_profile/keyfile_family.hpp reads it.
std::string route_line(const ProfileRoute& route) {
  std::string line = to_text(route.to);
  IpAddress none;
  none.family = route.to.address.family;
  if (route.via || route.metric) line += "," + to_text(route.via.value_or(none));
  if (route.metric) line += fmt::format(",{}", *route.metric);
  return line;
}

template <class Block>
Texts route_lines(const Block& block, Family family) {
  Texts lines;
  for (const auto& route : routes_of(block, family)) lines.push_back(route_line(route));
  return lines;
}

template <class Block>
void take_method(const std::string& text, Family, Block& block) {
  static_cast<void>(Text<decltype(block.method)>::read({text}, block.method));
}

template <class Block>
void take_address(const std::string& text, Family, Block& block) {
  read_keyfile_address(text, block.addresses, block.gateway);
}

template <class Block>
void take_route(const std::string& text, Family family, Block& block) {
  const auto read = read_keyfile_route(text, family);
  if (!read) return;
  RouteRecord route;
  if (!read->to.is_default()) route.to.network = read->to;
  route.via = read->via;
  route.metric = read->metric;
  block.routes.push_back(route);
}

template <class T>
void take_list(const std::string& text, std::vector<T>& list) {
  for (const auto& part : split(text, ";,"))
    if (const auto one = value_from<T>(part)) list.push_back(*one);
}

// Values of KeyfileKey::is_numbered.
constexpr bool one_line = false;
constexpr bool numbered_lines = true;

template <class Block>
constexpr KeyfileKey<Block> family_keys[] = {
    {"method", "method", one_line, [](const Block& block, Family) { return Texts{to_text(block.method)}; },
     take_method<Block>},
    {"address", "addresses", numbered_lines, [](const Block& block, Family) { return texts_of(block.addresses); },
     take_address<Block>},
    {"gateway", "gateway", one_line, [](const Block& block, Family) { return Texts{text_or_empty(block.gateway)}; },
     [](const std::string& text, Family, Block& block) { block.gateway = value_from<IpAddress>(text); }},
    {"dns", "dns", one_line, [](const Block& block, Family) { return Texts{ended_by(texts_of(block.dns), ";")}; },
     [](const std::string& text, Family, Block& block) { take_list(text, block.dns); }},
    {"dns-search", "search", one_line,
     [](const Block& block, Family) { return Texts{ended_by(texts_of(block.search), ";")}; },
     [](const std::string& text, Family, Block& block) { take_list(text, block.search); }},
    {"route", "routes", numbered_lines, route_lines<Block>, take_route<Block>},
};

template <class Block>
void add_known(std::string_view section, Texts& known) {
  for (const auto& row : family_keys<Block>)
    known.push_back(fmt::format("{}.{}{}", section, row.key, row.is_numbered ? "#" : ""));
}

// The property may be called as in a keyfile (address1) or as nmcli calls it: as the field is (addresses).
template <class Block>
std::string field_of_family(const ProfileProperty& one) {
  for (const auto& row : family_keys<Block>)
    if (one.property == row.key || one.property == row.field || is_row_of(row, one.property) ||
        (row.is_numbered && is_numbered(one.property, row.field)))
      return fmt::format("{}.{}", one.setting, row.field);
  return {};
}

}  // namespace

std::string field_of_keyfile(const ProfileProperty& one) {
  if (one.setting == "ipv4") return field_of_family<Ipv4Block>(one);
  if (one.setting == "ipv6") return field_of_family<Ipv6Block>(one);
  if (one == ProfileProperty{"connection", "id"}) return "profile";
  for (const auto& row : link_keys)
    if (one.setting == "infiniband" && one.property == row.key) return std::string(row.field);
  return {};
}

std::span<const KeyfileLinkKey> keyfile_link_keys() { return link_keys; }

template <class Block>
std::span<const KeyfileKey<Block>> keyfile_keys() {
  return family_keys<Block>;
}
template std::span<const KeyfileKey<Ipv4Block>> keyfile_keys();
template std::span<const KeyfileKey<Ipv6Block>> keyfile_keys();

template <class Block>
bool is_row_of(const KeyfileKey<Block>& row, std::string_view key) {
  return row.is_numbered ? is_numbered(key, row.key) : key == row.key;
}
template bool is_row_of(const KeyfileKey<Ipv4Block>&, std::string_view);
template bool is_row_of(const KeyfileKey<Ipv6Block>&, std::string_view);

bool is_port_key(std::string_view key) {
  return std::find(keyfile_port_keys.begin(), keyfile_port_keys.end(), key) != keyfile_port_keys.end();
}

Texts known_keyfile_keys() {
  Texts known;
  for (const auto& row : link_keys) known.push_back(fmt::format("infiniband.{}", row.key));
  add_known<Ipv4Block>("ipv4", known);
  add_known<Ipv6Block>("ipv6", known);
  return known;
}

std::string keyfile_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped.append(c == '\\' ? 2 : 1, c);
  return escaped;
}

}  // namespace rdmastate
