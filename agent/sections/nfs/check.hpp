// SPDX-License-Identifier: Apache-2.0
// The rules of section `nfs` that need no host, and the names of its units.
#pragma once

#include "sections/section.hpp"

namespace rdmastate {

/// "nfs.client.mounts[1].target"
std::string nfs_mount_path(std::size_t index, std::string_view field = {});

/// A path as systemd writes it in a unit's name (unit_name_path_escape): "mnt-projects", "mnt-a\x2db".
std::string escaped_path(std::string_view path);

/// The section's check().
void check_nfs(const Spec& spec, Report& report);

}  // namespace rdmastate
