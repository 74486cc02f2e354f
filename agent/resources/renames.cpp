// SPDX-License-Identifier: Apache-2.0
#include "resources/renames.hpp"

#include "host/snapshot.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "resources/ipoib_link/gap.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/netplan_file/netplan_file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "resources/nm_profile/nm_profile.hpp"

namespace rdmastate {
namespace {

// The rename of the interface that a wanted state is about; nullopt: it is a child, or gets no new name. The gap of the
// interface says whether it is renamed now; it is computed anew at each call, since ports are few.
std::optional<Rename> rename_of(const Scene& scene, const std::string& key, const State& wanted) {
  const auto& link = wanted.as<IpoibLink>();
  const Link* present = link.id.pkey || !link.name ? nullptr : find_link(scene.snapshot, link_id_from(key));
  if (present == nullptr || present->name == link.name->value) return std::nullopt;
  const Gap gap = ipoib_link_gap(scene, key, &wanted, ipoib_link_kind.observe(scene.snapshot, key));
  const bool is_renamed_now = gap.move && gap.move->to && gap.move->to->as<IpoibLink>().name == link.name;
  Rename rename{std::string(present->name), link.name->value, is_renamed_now ? "" : gap.pending.sentence};
  if (!is_renamed_now && rename.later.empty()) rename.later = gap.blocked;
  return rename;
}

bool is_wanted(const Scene& scene, const Kind& kind, const std::string& key) {
  const auto* wanted = scene.plan.wanted(kind, key);
  return wanted != nullptr && wanted->has_value();
}

}  // namespace

std::optional<Rename> rename_from(const Scene& scene, const std::string& present) {
  const Link* link = scene.snapshot.link(present);
  if (link == nullptr || !link->is_ipoib()) return std::nullopt;
  const std::string key = ipoib_link_key(scene.snapshot, *link);
  const auto* wanted = scene.plan.wanted(ipoib_link_kind, key);
  return wanted != nullptr && *wanted ? rename_of(scene, key, **wanted) : std::nullopt;
}

std::optional<Rename> rename_to(const Scene& scene, const std::string& name) {
  for (const auto& [key, wanted] : scene.plan.wanted(ipoib_link_kind))
    if (wanted && wanted->as<IpoibLink>().name == IfName{name}) return rename_of(scene, key, *wanted);
  return std::nullopt;
}

std::string why_name_stays(const Scene& scene, const std::string& interface) {
  const Link* link = scene.snapshot.link(interface);
  if (link == nullptr || !is_wanted(scene, ipoib_link_kind, ipoib_link_key(scene.snapshot, *link))) return {};
  const Link* port = link->is_child() ? scene.snapshot.link(link->parent) : link;
  const auto rename = port == nullptr ? std::nullopt : rename_from(scene, std::string(port->name));
  return rename ? rename->later : std::string();
}

std::optional<std::string> why_not_named(const Scene& scene, const std::string& name) {
  const auto holder = rename_from(scene, name);  // of the interface that has the name now
  if (!holder && scene.snapshot.link(name) != nullptr) return std::string();
  if (const auto next = rename_to(scene, name)) return next->later;
  if (holder && !holder->later.empty()) return holder->later;
  return std::nullopt;
}

bool is_taken_up(const Scene& scene, const std::string& name) {
  if (is_told_to_netplan(scene, name)) return netplan_renderer_runs(scene);
  if (is_wanted(scene, nm_profile_kind, nm_profile_path(name))) return scene.snapshot.networkmanager() != nullptr;
  if (is_wanted(scene, ifupdown_file_kind, ifupdown_path(name))) return scene.snapshot.has_ifupdown();
  return is_wanted(scene, networkd_file_kind, networkd_path(name, ".network")) && scene.snapshot.networkd_runs();
}

}  // namespace rdmastate
