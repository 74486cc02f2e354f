// SPDX-License-Identifier: Apache-2.0
// Kind `device_nodes`: group and mode of the nodes that are in /dev/infiniband now and whose names are a prefix and a
// number. Key: the prefix, "umad". Twin: the udev rule that gives the same to every node that appears.
#pragma once

#include "base/types_account.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

/// Who may open one node; text "0660 0:105".
struct NodeAccess {
  FileMode mode;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  bool operator==(const NodeAccess&) const = default;
};
template <>
struct Text<NodeAccess> {
  static constexpr std::string_view wanted = "mode, owner and group such as \"0660 0:105\"";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, NodeAccess& out);
  static std::string print(const NodeAccess& access);
};

/// The nodes of one prefix, /dev/infiniband/PREFIX and a number.
struct DeviceNodesState {
  /// The group's name. Of an observed state all different groups of the nodes, joined by ", "; a group without a name
  /// stands there by its number.
  std::string group;
  std::string mode;  ///< in octal digits, "0660"; of an observed state all different modes, joined by ", "
  /// Mode, owner and group of each node, by its name in /dev/infiniband: in an observed state and in both states of a
  /// step. Empty in a wanted state, whose `group` and `mode` are for all nodes.
  std::map<std::string, NodeAccess> nodes;
  bool operator==(const DeviceNodesState&) const = default;
};

template <>
struct Fields<DeviceNodesState> {
  static constexpr std::string_view name = "device_nodes";
  static constexpr std::string_view doc = "Device nodes whose names begin alike, and who may open them.";
  static constexpr auto table = Table{
      Field{"group", &DeviceNodesState::group, "The group that they belong to."},
      Field{"mode", &DeviceNodesState::mode, "Their permission bits."},
      // identity: not compared, since a wanted state has no nodes.
      Field{"nodes", &DeviceNodesState::nodes, "Each by its name: mode, owner and group.", {.identity = true}},
  };
};

/// The key of the nodes of management datagrams, /dev/infiniband/umadN (ib_umad's umad_devnode()).
inline constexpr std::string_view umad_nodes = "umad";

extern const Kind device_nodes_kind;

}  // namespace rdmastate
