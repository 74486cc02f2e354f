// SPDX-License-Identifier: Apache-2.0
#include "resources/registry.hpp"

#include <algorithm>
#include <array>

#include "resources/address.hpp"
#include "resources/device_nodes.hpp"
#include "resources/entry.hpp"
#include "resources/file.hpp"
#include "resources/group.hpp"
#include "resources/initrd.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/link_types.hpp"
#include "resources/module.hpp"
#include "resources/module_block.hpp"
#include "resources/module_parameter.hpp"
#include "resources/networkd_file.hpp"
#include "resources/nm_profile.hpp"
#include "resources/qos_port.hpp"
#include "resources/rdma_device.hpp"
#include "resources/rdma_system.hpp"
#include "resources/roce_port.hpp"
#include "resources/route.hpp"
#include "resources/soft_device.hpp"

namespace rdmastate {
namespace {

constexpr std::array kinds{&file_kind,
                           &entry_kind,
                           &nm_profile_kind,
                           &networkd_file_kind,
                           &module_kind,
                           &ipoib_link_kind,
                           &address_kind,
                           &route_kind,
                           &rdma_device_kind,
                           &rdma_system_kind,
                           &soft_device_kind,
                           &roce_port_kind,
                           &qos_port_kind,
                           &link_types_kind,
                           &group_kind,
                           &module_block_kind,
                           &module_parameter_kind,
                           &device_nodes_kind,
                           &initrd_kind};

}  // namespace

std::span<const Kind* const> all_kinds() { return kinds; }

const Kind* kind_named(std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind* kind) { return kind->name == name; });
  return found == kinds.end() ? nullptr : *found;
}

const Kind& kind_of_claim(const Claim& claim) {
  return claim.manager == "networkmanager" ? nm_profile_kind : file_kind;
}

}  // namespace rdmastate
