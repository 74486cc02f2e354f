// SPDX-License-Identifier: Apache-2.0
// netplan's file of a spec's ports (netplan(5)), and back.
#pragma once

#include <span>
#include <string>

#include "sections/adopt.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// The file's text for the renderer networkd, or else for NetworkManager; children among `profiles` are left out.
/// netplan translates two methods wrongly for NetworkManager: it makes link-local addresses (169.254.0.0/16) of
/// disabled IPv4, and leaves IPv6 link-local to the kernel. For NetworkManager the methods therefore stand under
/// `passthrough`.
std::string netplan_text(std::span<const Profile> profiles, bool by_networkd);
/// Adds the records of the ports in rdmastate's own file.
void adopt_netplan_ports(const Adoption& from, Adopted& to);

}  // namespace rdmastate
