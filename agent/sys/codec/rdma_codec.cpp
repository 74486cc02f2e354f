// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/rdma_codec.hpp"

#include <rdma/rdma_netlink.h>

#include "base/error.hpp"

namespace rdmastate::codec {
namespace {

constexpr std::uint16_t type_of(unsigned operation) {
  return static_cast<std::uint16_t>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, operation));
}

/// RDMA netlink has no fixed header: attributes only.
Message message_of(unsigned operation, unsigned flags) { return {type_of(operation), flags}; }

/// For the driver id: rdma_netlink.h says that it has 64 bits, and the kernel sends 32.
std::uint32_t any_number(const Attribute& attribute) {
  if (attribute.payload.size() == sizeof(std::uint64_t))
    return static_cast<std::uint32_t>(number<std::uint64_t>(attribute));
  return number<std::uint32_t>(attribute);
}

RdmaUser user_from(Bytes entry, RdmaResource resource) {
  RdmaUser user;
  user.what = resource == RdmaResource::queue_pair ? RdmaUser::What::queue_pair : RdmaUser::What::connection;
  if (const auto pid = find(entry, RDMA_NLDEV_ATTR_RES_PID)) user.pid = number<std::uint32_t>(*pid);
  if (const auto name = find(entry, RDMA_NLDEV_ATTR_RES_KERN_NAME)) user.command = text(*name);
  return user;
}

}  // namespace

bool is_rdma_answer(std::uint16_t type) { return RDMA_NL_GET_CLIENT(type) == RDMA_NL_NLDEV; }

RdmaIndex rdma_index_from(Bytes payload) {
  const auto index = find(payload, RDMA_NLDEV_ATTR_DEV_INDEX);
  const auto name = find(payload, RDMA_NLDEV_ATTR_DEV_NAME);
  if (!index || !name) throw Error("the kernel's answer is broken: an RDMA device without index or name");
  return {number<std::uint32_t>(*index), text(*name)};
}

std::string rdma_netdev_from(Bytes payload) {
  const auto name = find(payload, RDMA_NLDEV_ATTR_NDEV_NAME);
  return name ? text(*name) : std::string();
}

std::uint32_t rdma_driver_from(Bytes payload) {
  const auto id = find(payload, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID);
  return id ? any_number(*id) : 0;
}

std::optional<NetnsMode> rdma_netns_mode_from(Bytes payload) {
  const auto mode = find(payload, RDMA_NLDEV_SYS_ATTR_NETNS_MODE);
  if (!mode) return std::nullopt;
  const auto value = number<std::uint8_t>(*mode);
  if (value > 1) throw Error("the kernel's answer is broken: network namespace mode " + std::to_string(value));
  return value == 1 ? NetnsMode::shared : NetnsMode::exclusive;
}

void add_rdma_users(Bytes payload, RdmaResource resource, std::vector<RdmaUser>& users) {
  const bool pairs = resource == RdmaResource::queue_pair;
  const auto table = find(payload, pairs ? RDMA_NLDEV_ATTR_RES_QP : RDMA_NLDEV_ATTR_RES_CM_ID);
  if (!table) return;
  for_each(table->payload, [&](const Attribute& entry) {
    if (entry.type == (pairs ? RDMA_NLDEV_ATTR_RES_QP_ENTRY : RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY))
      users.push_back(user_from(entry.payload, resource));
  });
}

Message rdma_device_dump() { return message_of(RDMA_NLDEV_CMD_GET, NLM_F_DUMP); }

Message rdma_port_get(std::uint32_t device, std::uint32_t port) {
  Message message = message_of(RDMA_NLDEV_CMD_PORT_GET, 0);
  message.put_number(RDMA_NLDEV_ATTR_DEV_INDEX, device).put_number(RDMA_NLDEV_ATTR_PORT_INDEX, port);
  return message;
}

Message rdma_uverbs_get(std::uint32_t device) {
  Message message = message_of(RDMA_NLDEV_CMD_GET_CHARDEV, 0);
  message.put_number(RDMA_NLDEV_ATTR_DEV_INDEX, device).put_text(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
  return message;
}

Message rdma_users_dump(std::uint32_t device, RdmaResource resource) {
  const bool pairs = resource == RdmaResource::queue_pair;
  Message message = message_of(pairs ? RDMA_NLDEV_CMD_RES_QP_GET : RDMA_NLDEV_CMD_RES_CM_ID_GET, NLM_F_DUMP);
  message.put_number(RDMA_NLDEV_ATTR_DEV_INDEX, device);
  return message;
}

Message rdma_system_get() { return message_of(RDMA_NLDEV_CMD_SYS_GET, 0); }

Message rdma_system_set(NetnsMode mode) {
  Message message = message_of(RDMA_NLDEV_CMD_SYS_SET, NLM_F_ACK);
  message.put_number(RDMA_NLDEV_SYS_ATTR_NETNS_MODE, static_cast<std::uint8_t>(mode == NetnsMode::shared ? 1 : 0));
  return message;
}

Message rdma_set_name(std::uint32_t device, const std::string& name) {
  Message message = message_of(RDMA_NLDEV_CMD_SET, NLM_F_ACK);
  message.put_number(RDMA_NLDEV_ATTR_DEV_INDEX, device).put_text(RDMA_NLDEV_ATTR_DEV_NAME, name);
  return message;
}

Message rdma_link_add(const SoftDevice& wanted) {
  Message message = message_of(RDMA_NLDEV_CMD_NEWLINK, NLM_F_ACK);
  message.put_text(RDMA_NLDEV_ATTR_DEV_NAME, wanted.name)
      .put_text(RDMA_NLDEV_ATTR_LINK_TYPE, to_text(wanted.type))
      .put_text(RDMA_NLDEV_ATTR_NDEV_NAME, wanted.netdev);
  return message;
}

Message rdma_link_delete(std::uint32_t device) {
  Message message = message_of(RDMA_NLDEV_CMD_DELLINK, NLM_F_ACK);
  message.put_number(RDMA_NLDEV_ATTR_DEV_INDEX, device);
  return message;
}

}  // namespace rdmastate::codec
