// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/backends/networkmanager/keyfile_lines.hpp"

#include <fmt/format.h>

namespace rdmastate {

bool is_numbered(std::string_view key, std::string_view head) {
  return key.starts_with(head) && key.size() > head.size() &&
         key.find_first_not_of("0123456789", head.size()) == std::string_view::npos;
}

std::string keyfile_route_line(const ProfileRoute& route) {
  std::string line = to_text(route.to);
  IpAddress none;
  none.family = route.to.address.family;
  if (route.via || route.metric) line += "," + to_text(route.via.value_or(none));
  if (route.metric) line += fmt::format(",{}", *route.metric);
  return line;
}

}  // namespace rdmastate
