// SPDX-License-Identifier: Apache-2.0
// What is legal and will still not work.
#include <fmt/format.h>

#include <span>
#include <unordered_map>

#include "plan/plan.hpp"
#include "resources/ipoib_link.hpp"

namespace rdmastate {
namespace {

std::string table_text(const RdmaPort& port) {
  constexpr std::size_t most_told = 16;  // of up to 1024
  std::string text;
  for (const std::uint32_t entry : std::span(port.pkeys).first(std::min(port.pkeys.size(), most_told)))
    text += fmt::format("{}0x{:04x}", text.empty() ? "" : ", ", entry);
  const std::size_t more = port.pkeys.size() - std::min(port.pkeys.size(), most_told);
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

bool has_partition(const RdmaPort& port, PKey pkey) {
  constexpr std::uint32_t key_bits = 0x7fff;
  return std::any_of(port.pkeys.begin(), port.pkeys.end(),
                     [&](std::uint32_t entry) { return (entry & key_bits) == (pkey.value & key_bits); });
}

}  // namespace

void add_warnings(Plan& plan) {
  std::unordered_map<std::uint64_t, std::pair<const RdmaDevice*, const RdmaPort*>> ports;
  for (const auto& device : plan.facts.devices)
    for (const auto& port : device.ports) ports.emplace(port.guid.value, std::pair(&device, &port));
  if (ports.empty()) return;
  for (auto& item : plan.items) {
    if (item.kind != &ipoib_link_kind || !item.wanted) continue;
    const LinkId id = link_id_from(item.key);
    const auto found = ports.find(id.guid.value);
    if (!id.pkey || id.guid.value == 0 || found == ports.end() || found->second.second->pkeys.empty()) continue;
    const auto [device, port] = found->second;
    if (has_partition(*port, *id.pkey)) continue;
    const auto& name = item.wanted->as<IpoibLink>().name;
    item.warning = fmt::format(
        "P_Key {} is not in the partition table of {} port {} ({}), so {} has no carrier: ask the subnet manager's "
        "administrator, or add it to partitions.conf",
        to_text(*id.pkey), device->name, port->number, table_text(*port), name ? name->value : item.key);
  }
}

}  // namespace rdmastate
