// SPDX-License-Identifier: Apache-2.0
// The check() and adopt() of section `nfs`.
#pragma once

#include "host/mounts.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// The path of a mount in the spec, or of its field: "nfs.client.mounts[1].target". `index` counts from 0.
std::string nfs_mount_path(std::size_t index, std::string_view field = {});

/// The rules of `nfs.server.exports`, which is a part of check_nfs().
void check_exports(const NfsServer& server, Report& report);
/// The section's check(): rules that need no host.
void check_nfs(const Spec& spec, Report& report);
/// The section's adopt().
void adopt_nfs(const Adoption& from, Adopted& to);

}  // namespace rdmastate
