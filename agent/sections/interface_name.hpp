// SPDX-License-Identifier: Apache-2.0
// The check of a name that a spec gives to a network interface.
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// Refuses a name that the kernel takes, and that udev, systemd, NetworkManager or their programs would take for
/// something else: udev replaces other characters in NAME= (udev_replace_chars) and has patterns in KERNEL==, networkd
/// has patterns in Name=, and systemd takes neither numbers, "all" nor "default" (ifname_valid).
void check_interface_name(const IfName& name, std::string path, Report& report);

}  // namespace rdmastate
