// SPDX-License-Identifier: Apache-2.0
// Kind `device_nodes`: who may open those device nodes of one class that are there now. Key: the class, "umad". Twin:
// the udev rule that says the same of every node that appears.
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

struct DeviceNodesState {
  std::string group;  ///< a name; of an observed state all that nodes have, with ", " between them
  std::string mode;   ///< the same
  /// By name in /dev/infiniband: what an observed state is and what a step makes of it; of a wanted state empty.
  std::map<std::string, NodeAccess> nodes;
  bool operator==(const DeviceNodesState&) const = default;
};

template <>
struct Fields<DeviceNodesState> {
  static constexpr std::string_view name = "device_nodes";
  static constexpr std::string_view doc = "Device nodes of one class, and who may open them.";
  static constexpr auto table = Table{
      Field{"group", &DeviceNodesState::group, "The group that they belong to."},
      Field{"mode", &DeviceNodesState::mode, "Their permission bits."},
      Field{"nodes", &DeviceNodesState::nodes, "Each by its name: mode, owner and group.", {.identity = true}},
  };
};

/// The key of the nodes of management datagrams, /dev/infiniband/umadN (ib_umad's umad_devnode()).
inline constexpr std::string_view umad_nodes = "umad";

extern const Kind device_nodes_kind;

}  // namespace rdmastate
