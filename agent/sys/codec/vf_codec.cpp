// SPDX-License-Identifier: Apache-2.0
// Virtual functions in rtnetlink's messages about their physical function's link: IFLA_VFINFO_LIST.
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cstddef>

#include "base/error.hpp"
#include "sys/codec/link_codec.hpp"

namespace rdmastate::codec {
namespace {

constexpr std::uint32_t most_functions = 0xffff;  // sriov_totalvfs is a 16-bit register

ifinfomsg header_of(std::uint32_t index) {
  ifinfomsg header{};
  header.ifi_family = AF_UNSPEC;
  header.ifi_index = static_cast<int>(index);
  return header;
}

template <class Value>
Value struct_in(const Attribute& attribute) {
  Bytes payload = attribute.payload;
  return take_header<Value>(payload);
}

VfLinkState link_state_from(std::uint32_t value) {
  if (value > static_cast<std::uint32_t>(VfLinkState::disable))
    throw Error("the kernel's answer is broken: " + std::to_string(value) + " is no link state of a virtual function");
  return static_cast<VfLinkState>(value);
}

// Which virtual function a part of the list is about: the kernel leaves out those whose driver tells nothing. Each
// attribute of it begins with the number. nullopt: it has none of those that each kernel sends.
std::optional<std::uint32_t> number_in(Bytes info) {
  const auto mac = find(info, IFLA_VF_MAC);
  const auto state = mac ? mac : find(info, IFLA_VF_LINK_STATE);
  return state ? std::optional(struct_in<std::uint32_t>(*state)) : std::nullopt;
}

VfSettings settings_in(Bytes info) {
  VfSettings settings;
  for_each(info, [&](const Attribute& attribute) {
    if (attribute.type == IFLA_VF_IB_NODE_GUID) settings.node_guid = struct_in<ifla_vf_guid>(attribute).guid;
    if (attribute.type == IFLA_VF_IB_PORT_GUID) settings.port_guid = struct_in<ifla_vf_guid>(attribute).guid;
    if (attribute.type == IFLA_VF_LINK_STATE)
      settings.link_state = link_state_from(struct_in<ifla_vf_link_state>(attribute).link_state);
  });
  return settings;
}

// As ifla_vf_guid, whose padding is a member here: the kernel gets that too, and a copy need not keep other padding.
struct PaddedGuid {
  std::uint32_t vf;
  std::uint32_t padding;
  std::uint64_t guid;
};
static_assert(sizeof(PaddedGuid) == sizeof(ifla_vf_guid) && offsetof(PaddedGuid, guid) == offsetof(ifla_vf_guid, guid));

// A request that sets one attribute of one virtual function.
template <class Value>
Message change(std::uint32_t index, std::uint16_t type, const Value& value) {
  Message message(RTM_SETLINK, NLM_F_ACK);
  message.header(header_of(index));
  message.nest(IFLA_VFINFO_LIST, [&](Message& list) {
    list.nest(IFLA_VF_INFO, [&](Message& info) { info.put(type, std::as_bytes(std::span(&value, 1))); });
  });
  return message;
}

}  // namespace

Message vf_settings_get(std::uint32_t index) {
  return std::move(Message(RTM_GETLINK, 0)
                       .header(header_of(index))
                       .put_number(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS}));
}

std::vector<VfSettings> vf_settings_from(Bytes payload) {
  take_header<ifinfomsg>(payload);
  std::vector<VfSettings> all;
  if (const auto list = find(payload, IFLA_VFINFO_LIST))
    for_each(list->payload, [&](const Attribute& one) {
      if (one.type != IFLA_VF_INFO) return;
      const std::size_t number = number_in(one.payload).value_or(static_cast<std::uint32_t>(all.size()));
      if (number > most_functions)
        throw Error("the kernel's answer is broken: it names virtual function " + std::to_string(number));
      if (all.size() <= number) all.resize(number + 1);
      all[number] = settings_in(one.payload);
    });
  return all;
}

std::vector<Message> vf_changes(std::uint32_t index, std::uint32_t number, const VfSettings& wanted) {
  std::vector<Message> messages;
  if (wanted.node_guid)
    messages.push_back(change(index, IFLA_VF_IB_NODE_GUID, PaddedGuid{number, 0, wanted.node_guid->value}));
  if (wanted.port_guid)
    messages.push_back(change(index, IFLA_VF_IB_PORT_GUID, PaddedGuid{number, 0, wanted.port_guid->value}));
  if (wanted.link_state)
    messages.push_back(
        change(index, IFLA_VF_LINK_STATE, ifla_vf_link_state{number, static_cast<std::uint32_t>(*wanted.link_state)}));
  return messages;
}

}  // namespace rdmastate::codec
