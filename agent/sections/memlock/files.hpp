// SPDX-License-Identifier: Apache-2.0
// What the sources of section `memlock` share: its check() and adopt(), and the path of a service's drop-in.
#pragma once

#include <string>
#include <string_view>

#include "sections/section.hpp"

namespace rdmastate {

/// The section's check() and adopt().
void check_memlock(const Spec& spec, Report& report);
void adopt_memlock(const Adoption& from, Adopted& to);

/// The name of the drop-in that each service gets.
inline constexpr std::string_view memlock_drop_in = "50-rdmastate-memlock.conf";
/// "/etc/systemd/system/slurmd.service.d/50-rdmastate-memlock.conf"
std::string memlock_drop_in_of(const ServiceName& service);

}  // namespace rdmastate
