// SPDX-License-Identifier: Apache-2.0
#include "resources/ipoib_link/warn.hpp"

#include <fmt/format.h>

#include "resources/ipoib_link/carrier.hpp"
#include "resources/module.hpp"
#include "resources/openibd.hpp"

namespace rdmastate {
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
