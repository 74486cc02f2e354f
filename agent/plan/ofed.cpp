// SPDX-License-Identifier: Apache-2.0
// What openibd undoes: openib.conf says one thing of a module or of IPoIB's mode, the spec another.
#include "plan/ofed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/ofed.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/module.hpp"

namespace rdmastate {
namespace {

// A restart of openibd, which every update of OFED makes, unloads the whole stack and loads what the file says.
std::string left_out(std::string_view text, std::string_view module) {
  const std::string_view key = openib_key(module);
  if (key.empty() || openib_value(text, key) != "no") return {};
  return fmt::format(
      "openibd unloads {0} with the other drivers whenever it is restarted, and leaves it out then, since {1} says {2}=no: "
      "write {2}=yes there",
      module, openib_conf, key);
}

std::string other_mode(std::string_view text, const IpoibLink& link) {
  if (link.mode != IpoibMode::datagram || openib_value(text, "SET_IPOIB_CM") != "yes") return {};
  return fmt::format(
      "openibd sets every IPoIB interface to connected mode when it starts, since {} says SET_IPOIB_CM=yes, so {} does not "
      "stay in datagram mode: write SET_IPOIB_CM=no there",
      openib_conf, link.name ? link.name->value : "it");
}

}  // namespace

void add_ofed_warnings(const Snapshot& snapshot, Plan& plan) {
  if (plan.facts.stack != "ofed") return;
  const std::string text = snapshot.read(std::string(openib_conf)).value_or("");
  const bool names_ipoib = std::any_of(plan.items.begin(), plan.items.end(), [](const Item& item) {
    return item.kind == &module_kind && item.wanted && item.key == "ib_ipoib";
  });
  for (auto& item : plan.items) {
    if (!item.wanted || !item.warning.empty()) continue;
    if (item.kind == &module_kind) item.warning = left_out(text, item.key);
    if (item.kind != &ipoib_link_kind) continue;
    item.warning = other_mode(text, item.wanted->as<IpoibLink>());
    if (item.warning.empty() && !names_ipoib && !link_id_from(item.key).pkey) item.warning = left_out(text, "ib_ipoib");
  }
}

}  // namespace rdmastate
