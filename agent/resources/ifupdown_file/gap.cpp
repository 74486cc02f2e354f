// SPDX-License-Identifier: Apache-2.0
// The difference of a file of stanzas, and of what ifupdown holds of it: ifupdown_file_gap(), at the end. Where ifup
// cannot bring the interface up now (waits_for_module(), wait_where_ifup_fails()), the step writes the file all the
// same, and the rest is pending; where the plan loads ib_ipoib, all waits for that.
#include <fmt/format.h>

#include "host/ifupdown.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "resources/ifupdown_file/running.hpp"
#include "resources/module.hpp"
#include "resources/renames.hpp"

namespace rdmastate {
namespace {

template <class T>
bool fits(const std::optional<T>& asked, const std::optional<T>& there) {
  return !asked || asked == there;
}

bool is_as_asked(const IfupdownFileState& from, const IfupdownFileState& to) {
  return is_as_wanted(from, to) && fits(to.up, from.up) && fits(to.applied, from.applied);
}

std::string first_name(const FileState& file) {
  const auto stanzas = stanzas_of(file);
  return stanzas.empty() ? std::string() : stanzas.front().name;
}

// Where the interface gets its new name at the next boot, the file of its present name stays until then, and so do its
// addresses.
Gap removed(const Scene& scene, const std::string& key, const State& present) {
  Gap gap;
  gap.blocked = special_clash(key, file_of(present));
  if (!gap.blocked.empty()) return gap;
  const std::string why = why_name_stays(scene, first_name(file_of(present)));
  if (!why.empty()) {
    gap.pending = {"it stays until then: " + why, Until::reboot};
  } else {
    gap.move = Gap::Move{present, std::nullopt};
  }
  return gap;
}

// Makes the step write the file alone, and neither run ifup nor ifdown.
void leave_alone(IfupdownFileState& to) { to.up.reset(), to.applied.reset(); }

// Takes out of `to` what ifup cannot do now, and `gap` says why. True: the module that brings the interface has to be
// loaded first.
bool waits_for_module(const Scene& scene, IfupdownFileState& to, Gap& gap) {
  const std::string name = first_name(to);
  const std::string parent = ifupdown_parent(name);
  const std::string& base = parent.empty() ? name : parent;
  // nullopt: there is no such interface; not empty: it gets its name only at the next boot.
  if (const auto why = why_not_named(scene, base)) {
    if (!why->empty()) leave_alone(to), gap.pending = {*why, Until::reboot};
    return false;
  }
  if (is_coming(scene, "ib_ipoib")) return true;
  leave_alone(to);
  gap.pending = {
      fmt::format("there is no interface {} now: a boot that finds it brings it up, or the next apply does", base),
      Until::hardware};
  return false;
}

// ifup fails on an address that is there. Who configured the interface without ifupdown keeps it so until a boot.
bool has_it_without_ifup(const Scene& scene, const InterfaceStanzas& one) {
  const Link* link = scene.snapshot.link(one.name);
  if (link == nullptr || !has_one_of(one, scene.snapshot.addresses(link->index))) return false;
  return !read_ifstate(scene.snapshot.read(std::string(ifstate_path)).value_or("")).contains(one.name);
}

// Takes out of `to` what ifup would fail on, and `gap` says why.
void wait_where_ifup_fails(const Scene& scene, IfupdownFileState& to, Gap& gap) {
  const auto stanzas = stanzas_of(to);
  if (stanzas.empty()) return;
  const std::string& name = stanzas.front().name;
  const std::string why = why_detection_waits(scene, stanzas.front());
  if (has_it_without_ifup(scene, stanzas.front())) {
    gap.pending = {
        fmt::format("{} was configured without ifupdown: the next boot leaves it to ifupdown, and so do ifdown "
                    "--force {} and ifup {}",
                    name, name, name),
        Until::reboot};
  } else if (!why.empty()) {
    gap.pending = {fmt::format("{}; until it has one, ifup fails on its static IPv6 address", why), Until::hardware};
  }
  if (!gap.pending.empty()) leave_alone(to);
}

}  // namespace

std::optional<State> ifupdown_file_still(const State* from, const State& to) {
  IfupdownFileState left = to.as<IfupdownFileState>();
  leave_alone(left);
  if (from != nullptr && is_as_asked(from->as<IfupdownFileState>(), left)) return std::nullopt;
  return State(ifupdown_file_kind, std::move(left));
}

Gap ifupdown_file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return present != nullptr ? removed(scene, key, *present) : Gap{};
  const auto* from = present == nullptr ? nullptr : &present->as<IfupdownFileState>();
  Gap gap;
  if (from != nullptr) gap.blocked = type_clash(key, *from, file_of(*wanted));
  gap.is_in_the_way = !gap.blocked.empty();
  if (gap.is_in_the_way) return gap;
  IfupdownFileState to = wanted->as<IfupdownFileState>();
  if (from != nullptr) static_cast<FileState&>(to) = laid_over_file(*from, to);
  if (!scene.snapshot.has_ifupdown()) {
    leave_alone(to);
  } else if (waits_for_module(scene, to, gap)) {
    gap.after = "module ib_ipoib";
    return gap;
  } else if (to.up && !(from != nullptr && is_as_asked(*from, to))) {
    wait_where_ifup_fails(scene, to, gap);
  }
  if (from != nullptr && is_as_asked(*from, to)) return gap;
  gap.move = Gap::Move{from == nullptr ? std::optional<State>() : *present, State(ifupdown_file_kind, std::move(to))};
  return gap;
}

}  // namespace rdmastate
