// SPDX-License-Identifier: Apache-2.0
// A driver's own counters, by ethtool's ioctl (linux/ethtool.h): netlink does not have them.
#pragma once

#include <string>

#include "host/dcb.hpp"

namespace rdmastate {

/// Contract: Dcb::flow_counters(). Any user may ask. Throws SystemError, or Error where the driver changes what it
/// counts while it is asked.
FlowCounters flow_counters_of(const std::string& netdev);

}  // namespace rdmastate
