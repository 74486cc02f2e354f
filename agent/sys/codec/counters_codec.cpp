// SPDX-License-Identifier: Apache-2.0
#include "sys/codec/counters_codec.hpp"

#include <linux/ethtool.h>

#include <cstring>
#include <string_view>

namespace rdmastate::codec {
namespace {

std::string_view name_in(Bytes field) {
  const char* text = reinterpret_cast<const char*>(field.data());
  return {text, ::strnlen(text, field.size())};
}

// rx_discards_phy, tx_prio0_pause to tx_prio7_pause
bool is_wanted(std::string_view name) {
  constexpr std::string_view begin = "tx_prio", end = "_pause";
  if (name == "rx_discards_phy") return true;
  if (name.size() != begin.size() + 1 + end.size() || !name.starts_with(begin) || !name.ends_with(end)) return false;
  return name[begin.size()] >= '0' && name[begin.size()] <= '7';
}

}  // namespace

FlowCounters flow_counters_from(Bytes names, std::span<const std::uint64_t> values) {
  FlowCounters counters;
  for (std::size_t i = 0; i < values.size() && (i + 1) * ETH_GSTRING_LEN <= names.size(); ++i)
    if (const auto name = name_in(names.subspan(i * ETH_GSTRING_LEN, ETH_GSTRING_LEN)); is_wanted(name))
      counters.emplace(name, values[i]);
  return counters;
}

}  // namespace rdmastate::codec
