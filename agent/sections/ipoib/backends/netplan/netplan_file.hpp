// SPDX-License-Identifier: Apache-2.0
// Prints netplan's file of a spec's ports (netplan(5)), and reads it back for `show --as-spec`.
#pragma once

#include <span>
#include <string>

#include "sections/adopt.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// The file's text: for the renderer networkd if `by_networkd`, else for NetworkManager. Children among `profiles` are
/// left out. For NetworkManager netplan translates two values of `ipv4.method` and `ipv6.method` wrongly: it turns
/// `disabled` of IPv4 into link-local addresses (169.254.0.0/16), and leaves `link-local` of IPv6 to the kernel. So the
/// methods stand under its key `networkmanager.passthrough`, which it copies into the profile unread.
std::string netplan_text(std::span<const Profile> profiles, bool by_networkd);
/// Reads rdmastate's own file (Layout::netplan_file), for either renderer, and adds a record of each port in it to the
/// spec that `to` holds. Adds none where the file is missing or is no valid YAML. A value that cannot be read, which
/// rdmastate itself has not written, is left out without a word.
void adopt_netplan_ports(const Adoption& from, Adopted& to);

}  // namespace rdmastate
