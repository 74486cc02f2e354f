// SPDX-License-Identifier: Apache-2.0
// RDMA netlink (RDMA_NL_NLDEV) as bytes: devices, ports, character devices, who uses what, the system's mode.
#pragma once

#include "host/rdma.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// A device by the index that lasts as long as it does, whatever it is called.
struct RdmaIndex {
  std::uint32_t index = 0;
  std::string name;
  bool operator==(const RdmaIndex&) const = default;
};
/// From an answer of rdma_device_dump(). Throws Error where index or name is missing.
RdmaIndex rdma_index_from(Bytes payload);

/// A port's network device; empty where it has none, or none in our network namespace.
std::string rdma_netdev_from(Bytes payload);

/// ib_user_ioctl_verbs.h's rdma_driver_id; 0 where the kernel says none.
std::uint32_t rdma_driver_from(Bytes payload);
inline constexpr std::uint32_t driver_rxe = 14;
inline constexpr std::uint32_t driver_siw = 18;

/// nullopt: a kernel from before there was a mode.
std::optional<NetnsMode> rdma_netns_mode_from(Bytes payload);

/// What RDMA resource tracking lists: queue pairs and rdma_cm's connection ids.
enum class RdmaResource : std::uint8_t { queue_pair, cm_id };
/// Appends the users that one message of rdma_users_dump() names, `command` empty for processes: the kernel knows them
/// by number alone.
void add_rdma_users(Bytes payload, RdmaResource resource, std::vector<RdmaUser>& users);

/// Whether an answer's type is this interface's and one of these operations.
bool is_rdma_answer(std::uint16_t type);

/// The requests of RDMA netlink (rdma/rdma_netlink.h): RDMA_NLDEV_CMD_GET and RDMA_NLDEV_CMD_PORT_GET.
Message rdma_device_dump();
Message rdma_port_get(std::uint32_t device, std::uint32_t port);
/// The kernel loads ib_uverbs when it is asked and that is not there.
Message rdma_uverbs_get(std::uint32_t device);
Message rdma_users_dump(std::uint32_t device, RdmaResource resource);
Message rdma_system_get();
Message rdma_system_set(NetnsMode mode);
Message rdma_set_name(std::uint32_t device, const std::string& name);
Message rdma_link_add(const SoftDevice& wanted);
Message rdma_link_delete(std::uint32_t device);

}  // namespace rdmastate::codec
