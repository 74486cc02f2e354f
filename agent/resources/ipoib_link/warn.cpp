// SPDX-License-Identifier: Apache-2.0
#include "resources/ipoib_link/warn.hpp"

#include <fmt/format.h>

#include <span>

#include "resources/module.hpp"
#include "resources/openibd.hpp"

namespace rdmastate {
namespace {

std::string pkeys_text(const RdmaPort& port) {
  constexpr std::size_t most_named = 16;  // a table has up to 1024
  std::string text;
  for (const std::uint32_t entry : std::span(port.pkeys).first(std::min(port.pkeys.size(), most_named)))
    text += fmt::format("{}0x{:04x}", text.empty() ? "" : ", ", entry);
  const std::size_t more = port.pkeys.size() - std::min(port.pkeys.size(), most_named);
  return more == 0 ? text : fmt::format("{} and {} more", text, more);
}

bool has_partition(const RdmaPort& port, PKey pkey) {
  constexpr std::uint32_t key_bits = 0x7fff;
  return std::any_of(port.pkeys.begin(), port.pkeys.end(),
                     [&](std::uint32_t entry) { return (entry & key_bits) == (pkey.value & key_bits); });
}

std::string no_carrier_text(const RdmaDevice& device, const RdmaPort& port, PKey pkey, const std::string& name) {
  return fmt::format(
      "P_Key {} is not in the partition table of {} port {} ({}), so {} has no carrier: ask the subnet manager's "
      "administrator, or add it to partitions.conf",
      to_text(pkey), device.name, port.number, pkeys_text(port), name);
}

}  // namespace

// The P_Key table of a port that is not up yet is empty: no warning.
std::string why_no_carrier(const Facts& facts, const LinkId& id, const std::string& name) {
  if (!id.pkey || id.guid.value == 0) return {};
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      if (port.guid == id.guid)
        return port.pkeys.empty() || has_partition(port, *id.pkey) ? std::string()
                                                                   : no_carrier_text(device, port, *id.pkey, name);
  return {};
}

namespace {

bool is_module_wanted(const Scene& scene, const std::string& module) {
  const auto* wanted = scene.plan.wanted(module_kind, module);
  return wanted != nullptr && *wanted;
}

// What openibd's settings undo. All interfaces need ib_ipoib: where openibd does not load it, only the port's own
// interface warns, not its children, and none warns where the spec names the module, whose own item does.
std::string undone_by_openibd(const Scene& scene, const LinkId& id, const IpoibLink& link) {
  const std::string text = openib_text(scene.facts, scene.snapshot);
  if (text.empty()) return {};
  std::string warning;
  if (link.mode == IpoibMode::datagram) warning = connected_by_openibd(text, link.name ? link.name->value : "it");
  if (!warning.empty() || id.pkey || is_module_wanted(scene, "ib_ipoib")) return warning;
  return left_out_by_openibd(text, "ib_ipoib");
}

}  // namespace

std::string ipoib_link_warning(const Scene& scene, const std::string& key, const State& wanted) {
  const LinkId id = link_id_from(key);
  const auto& link = wanted.as<IpoibLink>();
  const std::string warning = why_no_carrier(scene.facts, id, link.name ? link.name->value : key);
  return warning.empty() ? undone_by_openibd(scene, id, link) : warning;
}

}  // namespace rdmastate
