// SPDX-License-Identifier: Apache-2.0
// Tells whether "/" is the root of the host whose kernel rdmastate would change, or a tree that was entered by
// chroot(2).
#pragma once

#include <string>

namespace rdmastate {

/// Why "/" is taken for a tree and not for this host: it is another directory (device and inode) than process 1 has for
/// its root, or /proc is not mounted, as in a tree that an installer has made. Empty: it is this host, or that cannot
/// be told (only root may see the root of process 1). As systemd-detect-virt(1) decides --chroot.
std::string why_changed_root();

/// Whether "/" is seen to be the root of process 1 too: a host that runs, or a container. False also where that cannot
/// be told.
bool is_running_root();

}  // namespace rdmastate
