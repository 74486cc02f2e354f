// SPDX-License-Identifier: Apache-2.0
// The field table of section `bonds`: what the reader, the schema, the man page and `explain` know of it.
#pragma once

#include "sections/bonds/spec.hpp"
#include "sections/ipoib/fields.hpp"

namespace rdmastate {

template <>
struct Fields<BondRecord> {
  static constexpr std::string_view name = "bonds";
  static constexpr std::string_view doc =
      "A bond of IPoIB interfaces: one of its ports carries the traffic, and another takes over when that one fails. "
      "Needs back end none, networkmanager, networkd, or netplan over networkd.";
  static constexpr auto table = joined<BondRecord>(
      Table{
          Field{
              "name", &BondRecord::name, "The bond's name.", {.required = true, .identity = true, .example = "bond0"}},
          Field{"mode",
                &BondRecord::mode,
                "active-backup: the kernel takes no other mode for IPoIB.",
                {.on_create = "active-backup", .example = "active-backup"}},
          Field{
              "ports",
              &BondRecord::ports,
              "The names of the interfaces that it joins: records of `ipoib`, ports' own interfaces or children, without "
              "addresses, with the same mode and MTU. The bond's MTU is theirs; 2044 (65520 in connected mode) where they "
              "give none.",
              {.required = true, .example = "[mlx4_ib0, mlx4_ib1]"}},
          Field{"primary",
                &BondRecord::primary,
                "The port that carries the traffic whenever it can. Without it the active port stays until it fails.",
                {.example = "mlx4_ib0"}}},
      Fields<BondSettings>::table,
      Table{Field{"ipv4", &BondRecord::ipv4, "IPv4 on the bond."},
            Field{"ipv6", &BondRecord::ipv6, "IPv6 on the bond."}});
};

}  // namespace rdmastate
