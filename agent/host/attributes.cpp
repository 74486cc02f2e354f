// SPDX-License-Identifier: Apache-2.0
#include "host/attributes.hpp"

#include <cstddef>

namespace rdmastate {
namespace {

constexpr std::string_view ima = "security.ima";
constexpr std::string_view evm = "security.evm";

// Of include/uapi/linux/posix_acl_xattr.h: a header of 32 bits with the version, then entries of tag and permissions
// (16 bits each) and id (32 bits), little-endian.
constexpr std::size_t header_size = 4;
constexpr std::size_t entry_size = 8;
constexpr std::size_t permissions_at = 2;
constexpr char acl_version = 2;

enum class Tag : unsigned char { owner = 0x01, group = 0x04, mask = 0x10, other = 0x20 };

// Where the permissions of the entry with this tag stand, as an index into the bytes; 0 where there is none.
std::size_t permissions_of(std::string_view acl, Tag tag) {
  for (std::size_t at = header_size; at < acl.size(); at += entry_size)
    if (acl[at] == static_cast<char>(tag) && acl[at + 1] == 0) return at + permissions_at;
  return 0;
}

// Writes the lowest three bits of `bits` (rwx) at this index; does nothing at 0.
void set(std::string& acl, std::size_t at, std::uint32_t bits) {
  if (at != 0) acl[at] = static_cast<char>(bits & 7U);
}

}  // namespace

bool is_kernels_own(std::string_view name, std::string_view value) {
  constexpr char signature = 0x03;           // EVM_IMA_XATTR_DIGSIG
  constexpr char verity_signature = 0x06;    // IMA_VERITY_DIGSIG
  constexpr char portable_signature = 0x05;  // EVM_XATTR_PORTABLE_DIGSIG
  const char type = value.empty() ? '\0' : value.front();
  if (name == ima) return type != signature && type != verity_signature;
  return name == evm && type != portable_signature;
}

bool is_about_bytes(std::string_view name) { return name == ima || name == evm; }

FileContent with_bytes(FileContent file, std::string bytes) {
  if (file.bytes == bytes) return file;
  std::erase_if(file.xattrs, [](const auto& one) { return is_about_bytes(one.first); });
  file.bytes = std::move(bytes);
  return file;
}

std::string acl_after_chmod(std::string acl, std::uint32_t mode) {
  if (acl.size() < header_size || (acl.size() - header_size) % entry_size != 0 || acl.front() != acl_version)
    return acl;
  const std::size_t mask_at = permissions_of(acl, Tag::mask);
  set(acl, permissions_of(acl, Tag::owner), mode >> 6U);
  set(acl, mask_at != 0 ? mask_at : permissions_of(acl, Tag::group), mode >> 3U);
  set(acl, permissions_of(acl, Tag::other), mode);
  return acl;
}

}  // namespace rdmastate
