// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/pause_codec.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "base/error.hpp"

namespace rdmastate::codec {
namespace {

bool is_on(Bytes payload, std::uint16_t type) {
  const auto attribute = find(payload, type);
  return attribute && number<std::uint8_t>(*attribute) != 0;
}

}  // namespace

Message ethtool_family_get() {
  Message message(GENL_ID_CTRL, 0);
  message.header(genlmsghdr{CTRL_CMD_GETFAMILY, 1, 0}).put_text(CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME);
  return message;
}

std::uint16_t family_from(Bytes payload) {
  take_header<genlmsghdr>(payload);
  const auto id = find(payload, CTRL_ATTR_FAMILY_ID);
  if (!id) throw Error("the kernel's answer is broken: a family of generic netlink without a number");
  return number<std::uint16_t>(*id);
}

Message pause_get(std::uint16_t family, const std::string& netdev, bool statistics) {
  Message message(family, 0);
  message.header(genlmsghdr{ETHTOOL_MSG_PAUSE_GET, ETHTOOL_GENL_VERSION, 0});
  message.nest(ETHTOOL_A_PAUSE_HEADER, [&](Message& header) {
    header.put_text(ETHTOOL_A_HEADER_DEV_NAME, netdev);
    if (statistics) header.put_number(ETHTOOL_A_HEADER_FLAGS, std::uint32_t{ETHTOOL_FLAG_STATS});
  });
  return message;
}

PauseState pause_from(Bytes payload) {
  take_header<genlmsghdr>(payload);
  PauseState state{is_on(payload, ETHTOOL_A_PAUSE_AUTONEG), is_on(payload, ETHTOOL_A_PAUSE_RX),
                   is_on(payload, ETHTOOL_A_PAUSE_TX), std::nullopt};
  const auto statistics = find(payload, ETHTOOL_A_PAUSE_STATS);
  if (!statistics) return state;
  if (const auto frames = find(statistics->payload, ETHTOOL_A_PAUSE_STAT_TX_FRAMES))
    state.tx_frames = number<std::uint64_t>(*frames);
  return state;
}

}  // namespace rdmastate::codec
