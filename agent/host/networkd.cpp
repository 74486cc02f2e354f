// SPDX-License-Identifier: Apache-2.0
#include "host/networkd.hpp"

#include <cstdlib>

#include "base/ascii.hpp"
#include "base/ini.hpp"

namespace rdmastate {

std::string networkd_link_path(std::uint32_t index) { return std::string(networkd_links) + std::to_string(index); }

namespace {

// networkd writes KEY=VALUE with nothing escaped.
constexpr ini::Dialect state_file{.comments = "#", .blanks = " \t", .needs_section = false};

}  // namespace

NetworkdLink read_networkd_link(std::string_view text) {
  const ini::File file(state_file, text);
  const std::string carrier = file.value("", "CARRIER_STATE");
  return {file.value("", "NETWORK_FILE"), file.value("", "ADMIN_STATE"),
          carrier == "carrier" || carrier == "degraded-carrier"};
}

std::optional<PKey> networkd_pkey(const std::string& text) {
  if (text.empty() || !ascii::is_digit(text.front())) return std::nullopt;
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.c_str(), &end, 0);
  if (*end != '\0' || value > 0xffff || (value & ~static_cast<unsigned long>(PKey::full_member)) == 0)
    return std::nullopt;
  return PKey{static_cast<std::uint16_t>(value | PKey::full_member)};
}

}  // namespace rdmastate
