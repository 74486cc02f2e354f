// SPDX-License-Identifier: Apache-2.0
// The gap of a group, and what the sources of kind `group` share: the paths of the account files, and how those files
// are read and recorded.
#pragma once

#include "resources/file/file.hpp"
#include "resources/group/group.hpp"

namespace rdmastate {

/// The account files that the kind reads (shadow-utils); its steps change the first two.
inline constexpr const char* group_path = "/etc/group";
inline constexpr const char* gshadow_path = "/etc/gshadow";
inline constexpr const char* passwd_path = "/etc/passwd";
inline constexpr const char* login_defs_path = "/etc/login.defs";
/// The password field that systemd-sysusers writes into gshadow: no password lets a user into the group.
inline constexpr std::string_view no_password = "!*";

/// Kind::gap of the kind `group`. Pure.
Gap group_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);

/// A regular file's bytes; empty for everything else.
std::string text_of(const FileState& file);
std::string text_of(const FileObservation& seen);

/// The gids that a directory service uses, from the highest gid of system groups down to the `groups`-th free one. A
/// record keeps them, so that a plan on it chooses the same free gids as on the host.
std::vector<std::uint32_t> ids_of_services(const Snapshot& snapshot, std::size_t groups);

/// Kind::places and Kind::keep of the kind `group`.
FilePlaces places_of_groups();
void keep_directory(const Snapshot& snapshot, const Facts& facts, HostModel& model);

}  // namespace rdmastate
