// SPDX-License-Identifier: Apache-2.0
// netplan's file of a spec's ports (netplan(5)), and back.
#pragma once

#include <span>
#include <string>

#include "sections/adopt.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// For networkd, or for NetworkManager, whose methods netplan cannot all say (no IPv4 becomes 169.254.0.0/16 there,
/// IPv6 link-local what the kernel does by itself): they pass through it.
std::string netplan_text(std::span<const Profile> profiles, bool by_networkd);
/// Adds the records that our own file means.
void adopt_netplan_ports(const Adoption& from, Adopted& to);

}  // namespace rdmastate
