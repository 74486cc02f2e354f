// SPDX-License-Identifier: Apache-2.0
// Prints netplan's file of a spec's ports (netplan(5)), and reads it back for `show --as-spec`.
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
/// Reads rdmastate's own file (Layout::netplan_file), for either renderer, and adds a record of each port in it to the
/// spec of the host. Adds none where the file is not there or is no YAML.
void adopt_netplan_ports(const Adoption& from, Adopted& to);

}  // namespace rdmastate
