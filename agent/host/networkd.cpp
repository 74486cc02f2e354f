// SPDX-License-Identifier: Apache-2.0
#include "host/networkd.hpp"

#include <algorithm>

namespace rdmastate {

std::string networkd_link_path(std::uint32_t index) { return "/run/systemd/netif/links/" + std::to_string(index); }

NetworkdLink read_networkd_link(std::string_view text) {
  NetworkdLink link;
  const auto value = [&](std::string_view key) {
    const auto found = ini_values(text, "", key);
    return found.empty() ? std::string() : found.front();
  };
  link.file = value("NETWORK_FILE");
  link.state = value("ADMIN_STATE");
  link.carrier = value("CARRIER_STATE") == "carrier" || value("CARRIER_STATE") == "degraded-carrier";
  return link;
}

std::vector<std::string> ini_values(std::string_view text, std::string_view section, std::string_view key) {
  std::vector<std::string> found;
  bool inside = section.empty();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.starts_with('[')) inside = line.size() == section.size() + 2 && line.substr(1, section.size()) == section;
    if (inside && line.starts_with(key) && line.substr(key.size(), 1) == "=")
      found.emplace_back(line.substr(key.size() + 1));
  }
  return found;
}

}  // namespace rdmastate
