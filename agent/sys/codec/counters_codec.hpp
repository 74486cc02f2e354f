// SPDX-License-Identifier: Apache-2.0
// From what ethtool's ioctl gives of a driver's own counters (ETHTOOL_GSTRINGS, ETHTOOL_GSTATS) to those that are
// wanted.
#pragma once

#include <span>

#include "host/dcb.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// `names`: ETH_GSTRING_LEN bytes for each counter, of which a 0 ends the name; `values`: a number for each of them.
/// Others than those of FlowCounters are left out, and so is what has a name and no number.
FlowCounters flow_counters_from(Bytes names, std::span<const std::uint64_t> values);

}  // namespace rdmastate::codec
