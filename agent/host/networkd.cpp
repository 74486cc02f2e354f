// SPDX-License-Identifier: Apache-2.0
#include "host/networkd.hpp"

#include "base/ini.hpp"

namespace rdmastate {

std::string networkd_link_path(std::uint32_t index) { return "/run/systemd/netif/links/" + std::to_string(index); }

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

}  // namespace rdmastate
