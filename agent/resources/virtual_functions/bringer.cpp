// SPDX-License-Identifier: Apache-2.0
#include "resources/virtual_functions/bringer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "resources/virtual_functions/virtual_functions.hpp"

namespace rdmastate {
namespace {

// Only one that a driver of this host takes has a device here.
bool gives(const VirtualFunctionsState& wanted, Guid guid) {
  return std::any_of(wanted.functions.begin(), wanted.functions.end(), [&](const auto& one) {
    return one.second.bound == true && (one.second.node_guid == guid || one.second.port_guid == guid);
  });
}

// Whether the resource is, or follows, a step. The gap of one whose own device is missing is not asked for: that would
// ask here again.
bool has_step(const Scene& scene, const std::string& key, const State& wanted) {
  if (only_meant(scene.snapshot.devices(), port_id_from(key).device) == nullptr) return false;
  const Gap gap = virtual_functions_kind.gap(scene, key, &wanted, virtual_functions_kind.observe(scene.snapshot, key));
  return gap.move || !gap.after.empty();
}

}  // namespace

std::string bringer_of_guid(const Scene& scene, Guid guid) {
  if (scene.snapshot.is_tree() || guid.value == 0) return {};
  for (const auto& [key, wanted] : scene.plan.wanted(virtual_functions_kind))
    if (wanted && gives(wanted->as<VirtualFunctionsState>(), guid) && has_step(scene, key, *wanted))
      return fmt::format("{} {}", virtual_functions_kind.name, key);
  return {};
}

}  // namespace rdmastate
