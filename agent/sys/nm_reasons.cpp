// SPDX-License-Identifier: Apache-2.0
#include "sys/nm_reasons.hpp"

#include <fmt/format.h>

namespace rdmastate {
namespace {

struct Reason {
  std::uint32_t number;
  const char* text;
};

// nm-dbus-interface.h; those that an InfiniBand device can meet.
constexpr Reason reasons[] = {
    {3, "the device is no longer managed by it"},
    {4, "the device could not be configured (for mode connected: it may have no connected mode)"},
    {5, "it got no IP configuration"},
    {6, "its IP configuration expired"},
    {15, "its DHCP client did not start"},
    {16, "its DHCP client failed"},
    {17, "no DHCP server gave an address"},
    {35, "firmware is missing"},
    {36, "the device is gone"},
    {38, "the profile was removed"},
    {39, "a user or a program asked for it"},
    {40, "the interface has no carrier: see ip link, and the port's state and partitions"},
    {49, "the InfiniBand mode could not be set"},
    {50, "what it depends on failed, such as the parent's profile"},
    {60, "another activation took its place"},
    {61, "its parent changed"},
    {62, "its parent is not managed by NetworkManager"},
    {64, "another host has the address"},
    {65, "the IP method is not possible there"},
};

}  // namespace

std::string nm_reason(std::uint32_t reason) {
  for (const auto& one : reasons)
    if (one.number == reason) return one.text;
  if (reason == 0) return "it does not say why (journalctl -u NetworkManager)";
  return fmt::format("reason {} of NMDeviceStateReason (journalctl -u NetworkManager)", reason);
}

}  // namespace rdmastate
