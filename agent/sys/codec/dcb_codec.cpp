// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/dcb_codec.hpp"

#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/error.hpp"

namespace rdmastate::codec {
namespace {

Message message_of(std::uint16_t type, std::uint8_t command, const std::string& netdev) {
  Message message(type, 0);
  message.header(dcbmsg{AF_UNSPEC, command, 0}).put_text(DCB_ATTR_IFNAME, netdev);
  return message;
}

// The struct that an attribute holds. Newer kernels may append members, which are not read.
template <class T>
T payload_as(const Attribute& attribute) {
  Bytes payload = attribute.payload;
  return take_header<T>(payload);
}

FlowControl flow_control_from(const Attribute& attribute) {
  const auto pfc = payload_as<ieee_pfc>(attribute);
  return {pfc.pfc_en, pfc.pfc_cap, pfc.mbc, pfc.delay};
}

// The members of struct ieee_ets that are arrays of 8, each with that of TrafficClasses.
template <class Use>
void each_eight(Use&& use) {
  use(&ieee_ets::tc_tx_bw, &TrafficClasses::bandwidth);
  use(&ieee_ets::tc_rx_bw, &TrafficClasses::rx_bandwidth);
  use(&ieee_ets::tc_tsa, &TrafficClasses::selection);
  use(&ieee_ets::prio_tc, &TrafficClasses::class_of);
  use(&ieee_ets::tc_reco_bw, &TrafficClasses::advised_bandwidth);
  use(&ieee_ets::tc_reco_tsa, &TrafficClasses::advised_selection);
  use(&ieee_ets::reco_prio_tc, &TrafficClasses::advised_class_of);
}

TrafficClasses classes_from(const Attribute& attribute) {
  const auto ets = payload_as<ieee_ets>(attribute);
  TrafficClasses classes;
  classes.most = ets.ets_cap;
  classes.cbs = ets.cbs;
  classes.willing = ets.willing;
  each_eight([&](auto theirs, auto ours) {
    std::copy(std::begin(ets.*theirs), std::end(ets.*theirs), (classes.*ours).begin());
  });
  return classes;
}

PortBuffers buffers_from(const Attribute& attribute) {
  const auto buffer = payload_as<dcbnl_buffer>(attribute);
  PortBuffers buffers;
  std::copy(std::begin(buffer.prio2buffer), std::end(buffer.prio2buffer), buffers.of_priority.begin());
  std::copy(std::begin(buffer.buffer_size), std::end(buffer.buffer_size), buffers.sizes.begin());
  buffers.total = buffer.total_size;
  return buffers;
}

// A request that sets one struct of linux/dcbnl.h.
template <class T>
Message set_message(const std::string& netdev, std::uint16_t type, const T& value) {
  Message message = message_of(RTM_SETDCB, DCB_CMD_IEEE_SET, netdev);
  message.nest(DCB_ATTR_IEEE, [&](Message& ieee) { ieee.put(type, std::as_bytes(std::span(&value, 1))); });
  return message;
}

// Adds an entry of the application table, where it is about a DSCP.
void add_entry(const Attribute& attribute, std::set<DscpEntry>& entries) {
  if (attribute.type != DCB_ATTR_IEEE_APP) return;
  const auto app = payload_as<dcb_app>(attribute);
  if (app.selector == IEEE_8021QAZ_APP_SEL_DSCP) entries.emplace(static_cast<std::uint8_t>(app.protocol), app.priority);
}

// A request that sets or deletes one entry of the application table.
Message dscp_message(std::uint8_t command, const std::string& netdev, DscpEntry entry) {
  Message message = message_of(RTM_SETDCB, command, netdev);
  const dcb_app app{IEEE_8021QAZ_APP_SEL_DSCP, entry.second, entry.first};  // selector, priority, protocol: the DSCP
  message.nest(DCB_ATTR_IEEE, [&](Message& ieee) {
    ieee.nest(DCB_ATTR_IEEE_APP_TABLE,
              [&](Message& table) { table.put(DCB_ATTR_IEEE_APP, std::as_bytes(std::span(&app, 1))); });
  });
  return message;
}

}  // namespace

DcbState dcb_from(Bytes payload) {
  DcbState state;
  take_header<dcbmsg>(payload);
  if (const auto dcbx = find(payload, DCB_ATTR_DCBX)) state.dcbx = DcbxMode{number<std::uint8_t>(*dcbx)};
  const auto ieee = find(payload, DCB_ATTR_IEEE);
  if (!ieee) return state;
  if (const auto pfc = find(ieee->payload, DCB_ATTR_IEEE_PFC)) state.flow_control = flow_control_from(*pfc);
  if (const auto ets = find(ieee->payload, DCB_ATTR_IEEE_ETS)) state.classes = classes_from(*ets);
  if (const auto buffer = find(ieee->payload, DCB_ATTR_DCB_BUFFER)) state.buffers = buffers_from(*buffer);
  if (const auto table = find(ieee->payload, DCB_ATTR_IEEE_APP_TABLE))
    for_each(table->payload, [&](const Attribute& entry) { add_entry(entry, state.dscp); });
  return state;
}

int dcb_outcome_from(Bytes payload) {
  take_header<dcbmsg>(payload);
  const auto outcome = find(payload, DCB_ATTR_IEEE);
  if (!outcome) throw Error("the kernel's answer is broken: DCB without an outcome");
  constexpr int greatest_of_ice = 2, byte = 256;
  const int answer = number<std::uint8_t>(*outcome);
  return answer <= greatest_of_ice ? 0 : byte - answer;
}

Message dcb_get(const std::string& netdev) { return message_of(RTM_GETDCB, DCB_CMD_IEEE_GET, netdev); }

Message dcb_set_flow_control(const std::string& netdev, const FlowControl& wanted) {
  ieee_pfc pfc{};
  pfc.pfc_en = wanted.priorities;
  pfc.pfc_cap = wanted.most;
  pfc.mbc = wanted.bypass;
  pfc.delay = wanted.delay;
  return set_message(netdev, DCB_ATTR_IEEE_PFC, pfc);
}

Message dcb_set_classes(const std::string& netdev, const TrafficClasses& wanted) {
  ieee_ets ets{};
  ets.ets_cap = wanted.most;
  ets.cbs = wanted.cbs;
  ets.willing = wanted.willing;
  each_eight([&](auto theirs, auto ours) {
    std::copy((wanted.*ours).begin(), (wanted.*ours).end(), std::begin(ets.*theirs));
  });
  return set_message(netdev, DCB_ATTR_IEEE_ETS, ets);
}

Message dcb_set_buffers(const std::string& netdev, const PortBuffers& wanted) {
  dcbnl_buffer buffer{};
  std::copy(wanted.of_priority.begin(), wanted.of_priority.end(), std::begin(buffer.prio2buffer));
  std::copy(wanted.sizes.begin(), wanted.sizes.end(), std::begin(buffer.buffer_size));
  buffer.total_size = wanted.total;
  return set_message(netdev, DCB_ATTR_DCB_BUFFER, buffer);
}

Message dcb_add_dscp(const std::string& netdev, DscpEntry entry) {
  return dscp_message(DCB_CMD_IEEE_SET, netdev, entry);
}

Message dcb_remove_dscp(const std::string& netdev, DscpEntry entry) {
  return dscp_message(DCB_CMD_IEEE_DEL, netdev, entry);
}

}  // namespace rdmastate::codec
