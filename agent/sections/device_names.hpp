// SPDX-License-Identifier: Apache-2.0
// What is said of the names that a spec gives to RDMA devices, hard and soft.
#pragma once

#include <string>
#include <string_view>

#include "sections/section.hpp"

namespace rdmastate {

/// "mlx4_0", "rxe3", "ibp3s0": a name that a driver or rdma-core gives by itself, and so may give to another device.
bool is_given_by_others(std::string_view name);

/// Each name once over `devices` and `soft_devices`; names of the kernel's own pattern are warned of.
void check_device_names(const Spec& spec, Report& report);

}  // namespace rdmastate
