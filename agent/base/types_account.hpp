// SPDX-License-Identifier: Apache-2.0
// Types for who may use a device or memory, and how: names of users, groups and services, sizes of memory, file modes.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

#include "base/text.hpp"

namespace rdmastate {

/// A user's name: a letter or '_', then letters, digits, '_' and '-', at most 31 bytes (systemd, user-util.c,
/// valid_user_group_name() without its relaxed form).
struct UserName {
  std::string value;
  auto operator<=>(const UserName&) const = default;
  static constexpr std::size_t max_length = 31;  // UT_NAMESIZE - 1
};

/// A group's name, by the same rules as a user's.
struct GroupName {
  std::string value;
  auto operator<=>(const GroupName&) const = default;
};

/// A service unit's name, a template's or an instance's included (systemd.unit(5)): "slurmd.service".
struct ServiceName {
  std::string value;
  auto operator<=>(const ServiceName&) const = default;
  static constexpr std::size_t max_length = 253;  // "NAME.d", the drop-ins' directory, may have 255 (NAME_MAX)
};

/// An amount of memory in bytes, always whole KiB; or no limit.
struct MemorySize {
  std::uint64_t bytes = 0;
  auto operator<=>(const MemorySize&) const = default;
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kib = 1024;
  bool is_unlimited() const { return bytes == no_limit; }
};

/// Permission bits of a device node; text "0660".
struct NodeMode {
  std::uint32_t value = 0;
  auto operator<=>(const NodeMode&) const = default;
};

#define RDMASTATE_TEXT(Type, Wanted)                                       \
  template <>                                                              \
  struct Text<Type> {                                                      \
    static constexpr std::string_view wanted = Wanted;                     \
    static constexpr JsonForm form = JsonForm::string;                     \
    static std::string schema();                                           \
    static std::optional<Complaint> read(const Scalar& scalar, Type& out); \
    static std::string print(const Type& value);                           \
  }

RDMASTATE_TEXT(UserName, "a user's name such as hpcuser");
RDMASTATE_TEXT(GroupName, "a group's name such as rdma");
RDMASTATE_TEXT(ServiceName, "a service's unit name such as slurmd.service");
RDMASTATE_TEXT(MemorySize, "a size with its unit such as 64GiB, or unlimited");
RDMASTATE_TEXT(NodeMode, "a mode in octal and in quotes such as \"0660\"");
#undef RDMASTATE_TEXT

}  // namespace rdmastate
