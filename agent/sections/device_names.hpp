// SPDX-License-Identifier: Apache-2.0
// Checks of the names that a spec gives to RDMA devices: adapters, and soft ones (rxe, siw).
#pragma once

#include <string>
#include <string_view>

#include "sections/section.hpp"

namespace rdmastate {

/// Whether a driver gives such names by itself ("mlx4_0"), and so may give this one to another device.
bool is_drivers_name(std::string_view name);

/// Reports a name that `devices` and `soft_devices` have twice; warns of a name that a driver may give.
void check_device_names(const Spec& spec, Report& report);

}  // namespace rdmastate
