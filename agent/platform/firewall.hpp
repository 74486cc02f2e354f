// SPDX-License-Identifier: Apache-2.0
// Firewalls: units; of firewalld the directories of its files, and what it takes as a zone's name. Pure data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "platform/layout.hpp"

namespace rdmastate {

/// The unit of firewalld in every distribution.
inline constexpr std::string_view firewall_unit = "firewalld.service";
/// The unit that loads a file of rules into nftables at boot, on hosts without firewalld, in every distribution.
inline constexpr std::string_view nftables_unit = "nftables.service";
/// The UDP port that RoCE v2 goes to: IANA's, and the kernel's ROCE_V2_UDP_DPORT (include/rdma/ib_verbs.h).
inline constexpr std::uint16_t roce_v2_port = 4791;
/// The zones of its package, the same in every distribution. Zones of this host are in Layout::firewall_zones.
inline constexpr std::string_view vendor_firewall_zones = "/usr/lib/firewalld/zones";
/// The directories of firewalld's service files; of files with one name that in the first directory counts.
inline constexpr std::string_view firewall_services[] = {"/etc/firewalld/services", "/usr/lib/firewalld/services"};

/// Whether firewalld takes it as a zone's name: at most 17 characters, since a chain's name in netfilter ends in it
/// (firewalld's max_zone_name_len). False of a name with '/': it names one of several files of a zone.
inline bool is_firewall_zone(std::string_view name) {
  constexpr std::size_t longest = 17;
  return !name.empty() && name.size() <= longest && ascii::holds_only(name, "_-");
}

/// The path of a zone's file in a directory of zones, "/etc/firewalld/zones/internal.xml" of "internal" in
/// "/etc/firewalld/zones"; empty where `zone` can be no zone's name.
inline std::string firewall_zone_file(std::string_view zone, std::string_view directory) {
  return is_firewall_zone(zone) ? std::string(directory) + "/" + std::string(zone) + ".xml" : std::string();
}
/// The path of this host's own file for a zone, in Layout::firewall_zones; empty where `zone` can be no zone's name.
inline std::string own_firewall_zone_file(std::string_view zone) {
  return firewall_zone_file(zone, common_layout().firewall_zones);
}

}  // namespace rdmastate
