// SPDX-License-Identifier: Apache-2.0
#include "resources/registry.hpp"

#include <algorithm>
#include <array>

namespace rdmastate {

// The kinds of resources: the one list. A kind NAME is resources/NAME.cpp, or a folder NAME with NAME.cpp, which
// defines NAME_kind.
// clang-format off
#define RDMASTATE_KINDS(KIND) \
  KIND(file) \
  KIND(entry) \
  KIND(nm_profile) \
  KIND(networkd_file) \
  KIND(ifupdown_file) \
  KIND(netplan_file) \
  KIND(module) \
  KIND(ipoib_link) \
  KIND(bond) \
  KIND(address) \
  KIND(route) \
  KIND(rdma_device) \
  KIND(rdma_system) \
  KIND(soft_device) \
  KIND(roce_port) \
  KIND(port_mtu) \
  KIND(qos_port) \
  KIND(link_types) \
  KIND(virtual_functions) \
  KIND(group) \
  KIND(module_block) \
  KIND(module_parameter) \
  KIND(device_nodes) \
  KIND(initrd) \
  KIND(unit) \
  KIND(nfs_listener) \
  KIND(nfs_threads) \
  KIND(nfs_export) \
  KIND(zone_port) \
  KIND(firewall_port) \
  KIND(unit_files) \
  KIND(service_limit) \
  KIND(login_limit) \
  KIND(nfs_mount) \
  KIND(opensm_unit)
// clang-format on

#define RDMASTATE_DECLARE(name) extern const Kind name##_kind;
RDMASTATE_KINDS(RDMASTATE_DECLARE)
#undef RDMASTATE_DECLARE

namespace {

#define RDMASTATE_ADDRESS(name) &name##_kind,
constexpr std::array kinds{RDMASTATE_KINDS(RDMASTATE_ADDRESS)};
#undef RDMASTATE_ADDRESS

}  // namespace

std::span<const Kind* const> all_kinds() { return kinds; }

const Kind* kind_named(std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind* kind) { return kind->name == name; });
  return found == kinds.end() ? nullptr : *found;
}

const Kind& kind_of_claim(const Claim& claim) {
  if (claim.manager == "ifupdown") return ifupdown_file_kind;
  return claim.manager == "networkmanager" ? nm_profile_kind : file_kind;
}

}  // namespace rdmastate
