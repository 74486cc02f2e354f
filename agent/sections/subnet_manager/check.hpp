// SPDX-License-Identifier: Apache-2.0
// The checks of section `subnet_manager` (of it alone, together with `ipoib`, and on a host), and its adopt().
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// Rules that need no host.
void check_subnet_manager(const Spec& spec, Report& report);
/// Rules that `ipoib` and the partitions have together: the MTUs and P_Keys of interfaces. Only for a spec that has the
/// section. Needs no host.
void check_beside_ipoib(const Spec& spec, Report& report);
/// Rules that need the host: its OpenSM is the distribution's, rdmastate knows where that has its files, and the ports
/// are there, and neither Ethernet nor Omni-Path. Where no RDMA device is known (a tree, a host whose driver is not
/// there yet), ports are not judged.
void check_subnet_manager_on(const SubnetManagerSection& section, const Facts& facts, Report& report);

/// The section's adopt().
void adopt_subnet_manager(const Adoption& from, Adopted& to);

/// The path of an instance, "subnet_manager.instances[1]", or of its field.
std::string sm_instance_path(std::size_t index, std::string_view field = {});

}  // namespace rdmastate
