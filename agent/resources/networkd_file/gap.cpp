// SPDX-License-Identifier: Apache-2.0
// The difference of a .network or .netdev file, and of what systemd-networkd runs of it. Where networkd cannot run the
// file now, the step writes it all the same, and the rest is pending; where the plan loads ib_ipoib, all waits for
// that.
#include <fmt/format.h>

#include "resources/bond/bond.hpp"
#include "resources/bond/gap.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/module.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "resources/renames.hpp"

namespace rdmastate {
namespace {

// Whether the child or bond of a .netdev file that goes is still wanted under its name: then it stays, and its new
// owner finds it. Under another name it goes, and its owner makes it anew.
bool child_is_wanted(const Scene& scene, const State& present) {
  const NetworkdText text = read_networkd_text(file_of(present));
  const Link* link = made_by(scene.snapshot, text);
  if (link == nullptr) return false;
  if (text.is_bond) {
    const auto* bond = scene.plan.wanted(bond_kind, to_text(bond_id(link->name)));
    return bond != nullptr && *bond;
  }
  const auto* wanted = scene.plan.wanted(ipoib_link_kind, ipoib_link_key(scene.snapshot, *link));
  return wanted != nullptr && *wanted && (*wanted)->as<IpoibLink>().name == IfName{link->name};
}

State leaving_child(const State& present) {
  return present.changed<NetworkdFileState>([](NetworkdFileState& state) { state.leaves_child = true; });
}

// Where the interface gets its new name at the next boot, the file of its present name stays until then, and so do its
// addresses.
Gap removed(const Scene& scene, const std::string& key, const State& present) {
  Gap gap;
  gap.blocked = special_clash(key, file_of(present));
  if (!gap.blocked.empty()) return gap;
  const std::string why = why_name_stays(scene, read_networkd_text(file_of(present)).interface);
  if (!why.empty()) {
    gap.pending = {"it stays until then: " + why, Until::reboot};
  } else {
    gap.move = Gap::Move{child_is_wanted(scene, present) ? leaving_child(present) : present, std::nullopt};
  }
  return gap;
}

bool is_as_asked(const NetworkdFileState& from, const NetworkdFileState& to) {
  return is_as_wanted(from, to) && (!to.applied || to.applied == from.applied);
}

// Leaves the field `applied` as it is in `from`, since networkd cannot run the file now; `why` becomes the gap's
// pending.
void hold_back_run(const NetworkdFileState* from, Pending why, NetworkdFileState& to, Gap& gap) {
  to.applied = from != nullptr ? from->applied : std::nullopt;
  gap.pending = std::move(why);
}

// Whether the file waits for the module that brings its interface (of a child: its parent), which the plan loads. Where
// networkd cannot run the file now for another reason, calls hold_back_run() and returns false.
bool waits_for_module(const Scene& scene, const NetworkdFileState* from, NetworkdFileState& to, Gap& gap) {
  const NetworkdText text = read_networkd_text(to);
  if (text.is_bond) return false;  // it stands on nothing
  const std::string& base = text.parent.empty() ? text.interface : text.parent;
  if (!to.applied) return false;
  // nullopt: there is no such interface; not empty: it gets its name only at the next boot.
  if (const auto why = why_not_named(scene, base)) {
    if (!why->empty()) hold_back_run(from, {*why, Until::reboot}, to, gap);
    return false;
  }
  if (is_coming(scene, "ib_ipoib")) return true;
  hold_back_run(from,
                {fmt::format("there is no interface {} now: systemd-networkd configures it when it appears", base),
                 Until::hardware},
                to, gap);
  return false;
}

// The gap of the file of a bond or of its port, where others have the bond's name: then the file is not written, or
// networkd would run it on what is there.
Gap gap_by_bond(const Scene& scene, const NetworkdFileState* from, const NetworkdFileState& to) {
  const NetworkdText text = read_networkd_text(to);
  const std::string& bond = text.is_bond ? text.interface : text.bond;
  return bond.empty() || (from != nullptr && is_as_asked(*from, to)) ? Gap{} : gap_of_bond_name(scene.snapshot, bond);
}

}  // namespace

Gap networkd_file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return present != nullptr ? removed(scene, key, *present) : Gap{};
  const auto* from = present == nullptr ? nullptr : &present->as<NetworkdFileState>();
  Gap gap;
  if (from != nullptr) gap.blocked = type_clash(key, *from, file_of(*wanted));
  gap.is_in_the_way = !gap.blocked.empty();
  if (gap.is_in_the_way) return gap;
  NetworkdFileState to = wanted->as<NetworkdFileState>();
  if (from != nullptr) static_cast<FileState&>(to) = laid_over_file(*from, to);
  if (Gap by_bond = gap_by_bond(scene, from, to); !by_bond.blocked.empty()) return by_bond;
  if (!scene.snapshot.networkd_runs()) {
    if (scene.facts.live && to.applied)
      gap.pending = {"systemd-networkd does not run now: it configures the interface when it starts", Until::owner};
    to.applied.reset();
  } else if (waits_for_module(scene, from, to, gap)) {
    gap.after = "module ib_ipoib";
    return gap;
  }
  if (from != nullptr && is_as_asked(*from, to)) return gap;
  gap.move = Gap::Move{from == nullptr ? std::optional<State>() : *present, State(networkd_file_kind, std::move(to))};
  return gap;
}

}  // namespace rdmastate
