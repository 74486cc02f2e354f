// SPDX-License-Identifier: Apache-2.0
#include "resources/nm_profile/keyfile_family.hpp"

#include "base/lines.hpp"
#include "base/text.hpp"

namespace rdmastate {
namespace {

template <class T>
std::optional<T> read_as(std::string_view text) {
  T value{};
  if (Text<T>::read(Scalar{text}, value)) return std::nullopt;
  return value;
}

}  // namespace

bool is_numbered(std::string_view key, std::string_view head) {
  return key.starts_with(head) && key.size() > head.size() &&
         key.find_first_not_of("0123456789", head.size()) == std::string_view::npos;
}

void read_keyfile_address(std::string_view value, std::vector<IpInterface>& addresses,
                          std::optional<IpAddress>& gateway) {
  const auto parts = split(value, ",");
  if (parts.empty()) return;
  if (const auto address = read_as<IpInterface>(parts[0])) addresses.push_back(*address);
  if (parts.size() > 1 && !gateway) gateway = read_as<IpAddress>(parts[1]);
}

std::optional<KeyfileRoute> read_keyfile_route(std::string_view value, Family family) {
  const auto parts = split(value, ",");
  const auto to = parts.empty() ? std::nullopt : read_as<IpNetwork>(parts[0]);
  if (!to) return std::nullopt;
  KeyfileRoute route{*to, std::nullopt, std::nullopt};
  if (parts.size() > 1) route.via = read_as<IpAddress>(parts[1]);
  if (route.via == IpAddress{family, /*bytes=*/{}}) route.via.reset();
  if (parts.size() > 2) route.metric = read_as<std::uint32_t>(parts[2]);
  return route;
}

KeyfileFamily read_keyfile_family(const ini::File& file, Family family) {
  const std::string_view section = family == Family::v4 ? "ipv4" : "ipv6";
  KeyfileFamily read;
  read.method = file.value(section, "method");
  read.gateway = read_as<IpAddress>(file.value(section, "gateway"));
  for (const auto& line : file.entries()) {
    // An entry that a later one replaces is skipped.
    if (!line.counts || file.section(line) != section) continue;
    if (is_numbered(line.key, "address")) read_keyfile_address(line.value, read.addresses, read.gateway);
    if (!is_numbered(line.key, "route")) continue;
    if (const auto route = read_keyfile_route(line.value, family)) read.routes.push_back(*route);
  }
  return read;
}

}  // namespace rdmastate
