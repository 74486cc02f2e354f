// SPDX-License-Identifier: Apache-2.0
// The ports of a unit's OpenSM, and whether they announce a subnet manager: the bit IsSM of their capability masks,
// which ib_umad sets as long as somebody holds the port's /dev/infiniband/issm node. Other subnet managers look for
// each other by that bit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/place.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {

/// IsSM of a CapabilityMask (InfiniBand Architecture Specification, PortInfo) as sysfs prints it: "0x02514868".
/// nullopt: the text is none.
std::optional<bool> has_is_sm(std::string_view cap_mask);

/// Whether the port announces a subnet manager; nullopt: its mask is not shown, or this user may not read it.
std::optional<bool> announces_manager(const Snapshot& snapshot, const RdmaDevice& device, const RdmaPort& port);

/// The ports that do not announce the unit's OpenSM, as "mlx5_0 port 1": all ports that it may run on and whose links
/// are up. "opensm@0x....service" runs on the port of that GUID, opensm.service on any InfiniBand port. Empty where one
/// of them announces a subnet manager, or where that is not seen.
std::vector<std::string> unannounced_ports(const Snapshot& snapshot, const std::string& unit);

/// The files that these functions read.
FilePlaces opensm_port_places();

}  // namespace rdmastate
