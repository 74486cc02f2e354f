// SPDX-License-Identifier: Apache-2.0
// Section `permissions`: who may open RDMA's device nodes. The kernel opens uverbs and rdma_cm to every user.
#pragma once

#include <optional>

#include "base/fields.hpp"
#include "base/types_account.hpp"

namespace rdmastate {

struct UmadPermissions {
  GroupName group;
  std::optional<NodeMode> mode;
  static constexpr std::uint32_t default_mode = 0660;
  NodeMode mode_or_default() const { return mode.value_or(NodeMode{default_mode}); }
};

struct PermissionsSection {
  std::optional<UmadPermissions> umad;
};

template <>
struct Fields<UmadPermissions> {
  static constexpr std::string_view name = "umad";
  static constexpr std::string_view doc =
      "The device nodes for management datagrams, /dev/infiniband/umadN. Without this section only root may open them.";
  static constexpr auto table = Table{
      Field{
          "group",
          &UmadPermissions::group,
          "The group that may open these nodes: its members can administer the fabric. A group that does not exist is created as a system group.",
          {.required = true, .example = "ibdiag"}},
      Field{"mode",
            &UmadPermissions::mode,
            "Permission bits in octal: the group may read and write, and no other user may do either.",
            {.on_create = "0660", .example = "\"0660\""}},
  };
};

template <>
struct Fields<PermissionsSection> {
  static constexpr std::string_view name = "permissions";
  static constexpr std::string_view doc = "Who may open RDMA's device nodes.";
  static constexpr auto table = Table{
      Field{"umad", &PermissionsSection::umad, "The device nodes for management datagrams."},
  };
};

}  // namespace rdmastate
