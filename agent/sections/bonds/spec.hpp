// SPDX-License-Identifier: Apache-2.0
// Section `bonds`: interfaces that join IPoIB interfaces, of which one carries the traffic. fields.hpp says what each
// field means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/bond_settings.hpp"
#include "sections/ipoib/spec.hpp"

namespace rdmastate {

struct BondRecord : BondSettings {
  IfName name;
  std::optional<BondMode> mode;
  std::vector<IfName> ports;
  std::optional<IfName> primary;
  std::optional<Ipv4Block> ipv4;
  std::optional<Ipv6Block> ipv6;
};

/// The path of a record, "bonds[3]", or of its field, "bonds[3].FIELD".
std::string bond_path(std::size_t index, std::string_view field = {});

}  // namespace rdmastate
