// SPDX-License-Identifier: Apache-2.0
// The difference of a netplan file, and of what its interfaces run of it. Where the renderer cannot configure an
// interface now, the step writes the file all the same, and the rest is pending; where the plan loads ib_ipoib, all
// waits for that.
#include <fmt/format.h>

#include "resources/bond/gap.hpp"
#include "resources/module.hpp"
#include "resources/netplan_file/netplan_file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "resources/renames.hpp"

namespace rdmastate {
namespace {

std::string renderer_of(const Facts& facts) {
  return facts.netplan_renderer == "NetworkManager" ? "NetworkManager" : "systemd-networkd";
}

// A sentence: why netplan's file may not be changed now; empty: it may.
std::string why_not_told(const Snapshot& snapshot) {
  if (!snapshot.has_netplan() || !snapshot.exists(std::string(netplan_try_stamp))) return {};
  return "netplan try waits for its answer, and may take this step back: answer it first";
}

// Where an interface gets its new name at the next boot, the definition of its present name stays until then.
std::string why_a_name_stays(const Scene& scene, const FileState& file) {
  for (const auto& one : definitions_of(file))
    if (std::string why = why_name_stays(scene, one.id); !why.empty()) return why;
  return {};
}

Gap removed(const Scene& scene, const std::string& key, const State& present) {
  Gap gap;
  gap.blocked = special_clash(key, file_of(present));
  if (gap.blocked.empty()) gap.blocked = why_not_told(scene.snapshot);
  if (!gap.blocked.empty()) return gap;
  const std::string why = why_a_name_stays(scene, file_of(present));
  if (!why.empty()) {
    gap.pending = {"it stays until then: " + why, Until::reboot};
  } else {
    gap.move = Gap::Move{present, std::nullopt};
  }
  return gap;
}

// What the interface of a definition waits for; empty: it is here, or gets its name by this plan.
Pending why_waits(const Scene& scene, const std::string& name) {
  if (const auto why = why_not_named(scene, name)) return {*why, Until::reboot};
  return {fmt::format("there is no interface {} now: {} configures it when it appears", name, renderer_of(scene.facts)),
          Until::hardware};
}

// Whether the file waits for the module that brings an interface of it, which the plan loads. Where an interface is not
// here, the step tells the renderer and does not wait for the interfaces; where one gets its name at the next boot, the
// step leaves them all alone. `gap` then says why.
bool waits_for_module(const Scene& scene, NetplanFileState& to, Gap& gap) {
  for (const auto& one : definitions_of(to)) {
    Pending why = why_waits(scene, one.id);
    if (why.empty()) continue;
    if (why.until == Until::hardware && is_coming(scene, "ib_ipoib")) return true;
    if (gap.pending.empty() || why.until == Until::reboot) gap.pending = std::move(why);
  }
  if (gap.pending.until == Until::reboot && !gap.pending.empty()) {
    to.applied.reset();
  } else if (!gap.pending.empty()) {
    to.applied = false;
  }
  return false;
}

bool is_as_asked(const NetplanFileState& from, const NetplanFileState& to) {
  return is_as_wanted(from, to) && (!to.applied || to.applied == from.applied);
}

// The bond that an interface joins, by the drop-in that the plan wants of it. Empty: none.
std::string bond_of(const Scene& scene, const NetplanDefinition& definition) {
  const auto* drop_in = scene.plan.wanted(networkd_file_kind, netplan_drop_in_path(definition.id));
  return drop_in == nullptr || !*drop_in ? std::string() : read_networkd_text(file_of(**drop_in)).bond;
}

// The gap of a file that makes interfaces ports of a bond, where others have the bond's name: then it is not written,
// or it would take the ports' addresses, and nobody would get them.
Gap gap_by_bonds(const Scene& scene, const NetplanFileState& to) {
  for (const auto& one : definitions_of(to)) {
    const std::string bond = bond_of(scene, one);
    if (bond.empty()) continue;
    if (Gap gap = gap_of_bond_name(scene.snapshot, bond); !gap.blocked.empty()) return gap;
  }
  return {};
}

}  // namespace

bool netplan_renderer_runs(const Scene& scene) {
  return renderer_of(scene.facts) == "NetworkManager" ? scene.snapshot.networkmanager() != nullptr
                                                      : scene.snapshot.networkd_runs();
}

Gap netplan_file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return present != nullptr ? removed(scene, key, *present) : Gap{};
  const auto* from = present == nullptr ? nullptr : &present->as<NetplanFileState>();
  Gap gap;
  if (from != nullptr) gap.blocked = type_clash(key, *from, file_of(*wanted));
  gap.is_in_the_way = !gap.blocked.empty();
  if (gap.is_in_the_way) return gap;
  NetplanFileState to = wanted->as<NetplanFileState>();
  if (from != nullptr) static_cast<FileState&>(to) = laid_over_file(*from, to);
  if (!scene.snapshot.has_netplan()) {
    to.applied.reset();
  } else if (!netplan_renderer_runs(scene)) {
    to.applied.reset();
    gap.pending = {renderer_of(scene.facts) + " does not run now: it configures the interfaces when it starts",
                   Until::owner};
  } else if (waits_for_module(scene, to, gap)) {
    gap.after = "module ib_ipoib";
    return gap;
  }
  if (from != nullptr && is_as_asked(*from, to)) return gap;
  if (Gap by_bond = gap_by_bonds(scene, to); !by_bond.blocked.empty()) return by_bond;
  gap.blocked = why_not_told(scene.snapshot);
  if (!gap.blocked.empty()) return gap;
  gap.move = Gap::Move{from == nullptr ? std::optional<State>() : *present, State(netplan_file_kind, std::move(to))};
  return gap;
}

}  // namespace rdmastate
