// SPDX-License-Identifier: Apache-2.0
// Which extended attributes are not free text: ACLs, which share the mode's bits, and what IMA and EVM say of a file.
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

/// Whether the kernel writes the attribute by itself, for this inode alone: a hash of IMA, a HMAC of EVM (the first
/// byte says which, security/integrity/integrity.h). It is no state of a file, and no program can give it to another
/// file.
bool is_kernels_own(std::string_view name, std::string_view value);

/// Whether the attribute is about the bytes that the file has: a signature, wrong as soon as the bytes are others.
bool is_about_bytes(std::string_view name);

/// The file with other bytes, and without the attributes that were about the old ones.
FileContent with_bytes(FileContent file, std::string bytes);

/// An access ACL (its bytes in the attribute) as chmod(2) with `mode` leaves it: posix_acl_chmod() in fs/posix_acl.c.
/// Bytes that are no ACL of version 2 are returned unchanged.
std::string acl_after_chmod(std::string acl, std::uint32_t mode);

}  // namespace rdmastate
