// SPDX-License-Identifier: Apache-2.0
// RDMA netlink (RDMA_NL_NLDEV) as bytes: devices, ports, character devices, the users of queue pairs and connection
// ids, the network namespace mode. Where an answer is malformed, its reader throws Error.
#pragma once

#include "host/rdma.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// A device's name, and its index, which stays the same when the device is renamed.
struct RdmaIndex {
  std::uint32_t index = 0;
  std::string name;
  bool operator==(const RdmaIndex&) const = default;
};
/// From an answer to rdma_device_dump(), which has both.
RdmaIndex rdma_index_from(Bytes payload);

/// A port's network device, from an answer to rdma_port_get(). Empty where the port has none, or none in the network
/// namespace of this process.
std::string rdma_netdev_from(Bytes payload);

/// Which driver a device has, from an answer to rdma_uverbs_get(): a number of enum rdma_driver_id
/// (rdma/ib_user_ioctl_verbs.h), 0 where the answer gives none.
std::uint32_t rdma_driver_from(Bytes payload);
inline constexpr std::uint32_t driver_rxe = 14;  // RDMA_DRIVER_RXE
inline constexpr std::uint32_t driver_siw = 18;  // RDMA_DRIVER_SIW

/// The network namespace mode, from an answer to rdma_system_get(). nullopt: the kernel is so old that it has none.
std::optional<NetnsMode> rdma_netns_mode_from(Bytes payload);

/// What RDMA resource tracking lists: queue pairs and rdma_cm's connection ids.
enum class RdmaResource : std::uint8_t { queue_pair, cm_id };
/// Appends the users that one message of an rdma_users_dump() names. For a process `command` stays empty: the kernel
/// gives its number alone.
void add_rdma_users(Bytes payload, RdmaResource resource, std::vector<RdmaUser>& users);

/// Whether an answer's type is one of RDMA_NL_NLDEV, the part of RDMA netlink that is used here.
bool is_rdma_answer(std::uint16_t type);

/// The requests of RDMA netlink (RDMA_NLDEV_CMD_* of rdma/rdma_netlink.h). `device` is a device's index.
Message rdma_device_dump();
Message rdma_port_get(std::uint32_t device, std::uint32_t port);
/// Asks for the device's uverbs character device. The kernel loads ib_uverbs for this request where it is not loaded.
Message rdma_uverbs_get(std::uint32_t device);
Message rdma_users_dump(std::uint32_t device, RdmaResource resource);
Message rdma_system_get();
Message rdma_system_set(NetnsMode mode);
Message rdma_set_name(std::uint32_t device, const std::string& name);
Message rdma_link_add(const SoftDevice& wanted);
Message rdma_link_delete(std::uint32_t device);

}  // namespace rdmastate::codec
