// SPDX-License-Identifier: Apache-2.0
// Extended attributes that need care when a file is read, compared, rewritten or given another mode: ACLs, which share
// bits with the mode, and security.ima and security.evm, by which the kernel's IMA and EVM check a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/files.hpp"

namespace rdmastate {

/// acl(5) of a file. Setting it sets the mode's bits, and chmod(2) sets the mask in it.
inline constexpr std::string_view access_acl = "system.posix_acl_access";
/// acl(5) that files made in a directory start with.
inline constexpr std::string_view default_acl = "system.posix_acl_default";

/// Whether the kernel writes the attribute by itself, for this inode alone: the hash in security.ima, the
/// HMAC in security.evm (the value's first byte tells them from signatures, security/integrity/integrity.h). Such a
/// value does not count as part of the file's state and is left out when the file is read: no program can set it.
bool is_kernels_own(std::string_view name, std::string_view value);

/// Whether the attribute is a signature of the file's bytes (security.ima, security.evm), which is wrong once the bytes
/// change.
bool is_about_bytes(std::string_view name);

/// The file with these bytes. Where they differ from its own, the attributes that is_about_bytes() names are left out.
FileContent with_bytes(FileContent file, std::string bytes);

/// An access ACL (its bytes in the attribute) as chmod(2) with `mode` leaves it (posix_acl_chmod() in
/// fs/posix_acl.c): by it the state after a step is known before the step is made.
/// Bytes that are no ACL of version 2 are returned unchanged.
std::string acl_after_chmod(std::string acl, std::uint32_t mode);

}  // namespace rdmastate
