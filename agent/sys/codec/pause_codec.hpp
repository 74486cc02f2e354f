// SPDX-License-Identifier: Apache-2.0
// Ethtool netlink's global pause as bytes: net/ethtool/pause.c, over generic netlink (linux/genetlink.h).
#pragma once

#include "host/dcb.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// Asks generic netlink for the family "ethtool".
Message ethtool_family_get();
/// The family's number, from the answer. Throws Error where the answer has none, or is malformed.
std::uint16_t family_from(Bytes payload);

/// ETHTOOL_MSG_PAUSE_GET of one interface, by name. `statistics`: ETHTOOL_FLAG_STATS, which Linux 5.10 introduced.
Message pause_get(std::uint16_t family, const std::string& netdev, bool statistics);
/// From the answer. What it does not have is off, or unset. Throws Error where it is malformed.
PauseState pause_from(Bytes payload);

}  // namespace rdmastate::codec
