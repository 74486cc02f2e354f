// SPDX-License-Identifier: Apache-2.0
// The options of a bond (IFLA_BOND_* of rtnetlink) that a spec can set: one struct and one table for the kernel's
// messages, for the kind and for the spec. sys/codec/link_codec.cpp says which attribute each field is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/fields.hpp"
#include "base/types.hpp"

namespace rdmastate {

/// The modes of the kernel's bonding driver, by their numbers (linux/if_bonding.h).
enum class BondMode : std::uint8_t {
  balance_rr,
  active_backup,
  balance_xor,
  broadcast,
  lacp,
  balance_tlb,
  balance_alb
};
template <>
struct Names<BondMode> {
  static constexpr std::string_view wanted = "active-backup";
  static constexpr std::array table{Name<BondMode>{BondMode::balance_rr, "balance-rr"},
                                    Name<BondMode>{BondMode::active_backup, "active-backup"},
                                    Name<BondMode>{BondMode::balance_xor, "balance-xor"},
                                    Name<BondMode>{BondMode::broadcast, "broadcast"},
                                    Name<BondMode>{BondMode::lacp, "802.3ad"},
                                    Name<BondMode>{BondMode::balance_tlb, "balance-tlb"},
                                    Name<BondMode>{BondMode::balance_alb, "balance-alb"}};
};

/// How a bond finds out that a port has failed. In a request an absent field is left as it is; in a bond that was
/// looked at, every field has a value, and 0 means that this monitor is off.
struct BondSettings {
  std::optional<std::uint32_t> miimon{};
  std::optional<std::uint32_t> arp_interval{};
  std::optional<std::vector<IpAddress>> arp_targets{};
  bool operator==(const BondSettings&) const = default;

  /// Of a derived struct: this part of it, for functions that work on Fields<BondSettings>.
  const BondSettings& settings() const { return *this; }
  BondSettings& settings() { return *this; }
};

template <>
struct Fields<BondSettings> {
  static constexpr std::string_view name = "settings";
  static constexpr std::string_view doc = "How a bond finds out that a port has failed.";
  static constexpr auto table = Table{
      Field{
          "miimon",
          &BondSettings::miimon,
          "MII monitoring: every so many milliseconds the kernel looks whether the active port has carrier. 100 where "
          "neither this nor arp_interval is given.",
          {.example = "100"}},
      Field{"arp_interval",
            &BondSettings::arp_interval,
            "ARP monitoring in place of MII monitoring: every so many milliseconds the kernel asks arp_targets, and a "
            "port that hears nothing has failed.",
            {.example = "1000"}},
      Field{"arp_targets",
            &BondSettings::arp_targets,
            "With arp_interval: one to 16 IPv4 addresses on the bond's own network that always answer.",
            {.example = "[192.0.2.254]"}},
  };
};

}  // namespace rdmastate
