// SPDX-License-Identifier: Apache-2.0
// A driver's own counters, as ETHTOOL_GSTRINGS and ETHTOOL_GSTATS give them: names in fields of 32 bytes.
#include <gtest/gtest.h>

#include "sys/codec/counters_codec.hpp"

namespace rdmastate::codec {
namespace {

std::vector<std::byte> fields(const std::vector<std::string>& names) {
  std::vector<std::byte> bytes(names.size() * 32);
  for (std::size_t i = 0; i < names.size(); ++i) std::memcpy(bytes.data() + i * 32, names[i].data(), names[i].size());
  return bytes;
}

// Names of mlx5 (Linux 6.1, en_stats.c), in its order.
const std::vector<std::string> of_mlx5 = {
    "rx_packets",          "rx_out_of_buffer",  "rx_discards_phy",         "tx_pause_ctrl_phy",
    "rx_prio3_bytes",      "rx_prio3_discards", "tx_prio3_packets",        "rx_prio3_pause",
    "tx_prio3_pause",      "tx_prio4_pause",    "tx_prio3_pause_duration", "tx_pause_storm_warning_events",
    "rx_prio3_buf_discard"};

TEST(CountersCodec, TakesThePausesByPriorityAndTheLostPackets) {
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < of_mlx5.size(); ++i) values.push_back((1ULL << 40U) + i);
  EXPECT_EQ(flow_counters_from(fields(of_mlx5), values), (FlowCounters{{"rx_discards_phy", (1ULL << 40U) + 2},
                                                                       {"tx_prio3_pause", (1ULL << 40U) + 8},
                                                                       {"tx_prio4_pause", (1ULL << 40U) + 9}}));
}

TEST(CountersCodec, ANameMayFillItsField) {
  const std::string longest(32, 'x');
  EXPECT_EQ(flow_counters_from(fields({longest, "tx_prio0_pause"}), std::vector<std::uint64_t>{1, 2}),
            (FlowCounters{{"tx_prio0_pause", 2}}));
  EXPECT_TRUE(flow_counters_from(fields({"tx_prio8_pause", "tx_prio_pause", "tx_prio10_pause"}),
                                 std::vector<std::uint64_t>{1, 2, 3})
                  .empty());
}

TEST(CountersCodec, WhatHasNoNumberOrNoNameIsLeftOut) {
  const auto names = fields({"tx_prio0_pause", "tx_prio1_pause"});
  EXPECT_EQ(flow_counters_from(names, std::vector<std::uint64_t>{7}), (FlowCounters{{"tx_prio0_pause", 7}}));
  EXPECT_EQ(flow_counters_from(Bytes(names).first(63), std::vector<std::uint64_t>{7, 8}),
            (FlowCounters{{"tx_prio0_pause", 7}}));
  EXPECT_TRUE(flow_counters_from({}, {}).empty());
}

}  // namespace
}  // namespace rdmastate::codec
