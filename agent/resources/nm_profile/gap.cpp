// SPDX-License-Identifier: Apache-2.0
// The difference of a NetworkManager profile: its file, and what is active of it. Where NetworkManager cannot activate
// the profile now, the step writes the file all the same, and the rest is pending; where the plan loads ib_ipoib, all
// waits for that.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/ini.hpp"
#include "resources/bond/gap.hpp"
#include "resources/ipoib_link/carrier.hpp"
#include "resources/module.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "resources/renames.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view not_running =
    "NetworkManager does not run now: it loads the profile and configures the interface when it starts";

// Whether Device.Reapply can change the value, as far as specs need it (can_reapply_change in nm-device.c,
// nm-device-infiniband.c and nm-device-bond.c). A profile's name changes nothing of the interface.
bool is_reapplied(std::string_view section, std::string_view key) {
  constexpr std::array names{"ipv4", "ipv6", "proxy", "user"};
  constexpr std::array of_bond{"arp_interval", "arp_ip_target", "miimon", "primary"};
  constexpr std::array of_connection{"dns-over-tls", "id", "lldp", "llmnr", "mdns", "metered", "timestamp", "zone"};
  if (section == "connection") return std::find(of_connection.begin(), of_connection.end(), key) != of_connection.end();
  if (section == "bond") return std::find(of_bond.begin(), of_bond.end(), key) != of_bond.end();
  if (section == "infiniband" || section == "ethernet") return key == "mtu";
  return std::find(names.begin(), names.end(), section) != names.end();
}

// The values of a keyfile that Device.Reapply cannot change.
std::map<std::string, std::string> fixed_values(std::string_view text) {
  const ini::File file(ini::keyfile, text);
  std::map<std::string, std::string> fixed;
  for (const auto& entry : file.entries()) {
    const std::string& section = file.section(entry);
    if (!is_reapplied(section, entry.key)) fixed[section + "." + entry.key] = entry.value;
  }
  return fixed;
}

std::string_view text_of(const FileState& file) {
  return file.content ? std::string_view(file.content->value) : std::string_view();
}

// The interface that has to be there before the profile can be activated: of a child its parent, of a bond none
// (empty).
std::string stands_on(const NmProfileText& text) {
  if (text.is_bond()) return {};
  return text.parent.empty() ? text.interface : text.parent;
}

// Where the interface gets its new name at the next boot, the profile of its present name stays until then, and so do
// its addresses.
Gap removed(const Scene& scene, const std::string& key, const State& present) {
  Gap gap;
  gap.blocked = special_clash(key, file_of(present));
  if (!gap.blocked.empty()) return gap;
  const std::string why = why_name_stays(scene, read_nm_profile(file_of(present)).interface);
  if (!why.empty()) {
    gap.pending = {"it stays until then: " + why, Until::reboot};
  } else {
    gap.move = Gap::Move{present, std::nullopt};
  }
  return gap;
}

// The step leaves the interface alone; `why` becomes the gap's pending. A profile without its interface is loaded and
// waits: NetworkManager activates it by itself when the interface comes.
void hold_back_activation(Pending why, NmProfileState& to, Gap& gap) {
  to.active.reset(), to.applied.reset();
  gap.pending = std::move(why);
}

// Whether a field is as asked; one that is not asked for (nullopt) always is.
template <class T>
bool fits(const std::optional<T>& asked, const std::optional<T>& there) {
  return !asked || asked == there;
}

bool is_as_asked(const NmProfileState& from, const NmProfileState& to) {
  return is_as_wanted(from, to) && fits(to.loaded, from.loaded) && fits(to.active, from.active) &&
         fits(to.applied, from.applied);
}

// nullopt: the profile is of no partition.
std::optional<PKey> pkey_of(const NmProfileText& text) {
  std::uint32_t value = 0;
  if (text.pkey.empty() || Text<std::uint32_t>::read(Scalar{text.pkey}, value)) return std::nullopt;
  return PKey{static_cast<std::uint16_t>(value)};
}

// Whether the profile waits for the module that brings its interface, which the plan loads. Where NetworkManager cannot
// activate the profile now for another reason, calls hold_back_activation() and returns false.
bool waits_for_module(const Scene& scene, NmProfileState& to, Gap& gap) {
  const std::string base = stands_on(read_nm_profile(to));
  if (base.empty()) return false;
  if (const auto why = why_not_named(scene, base)) {  // the interface is there; not empty: without its new name yet
    if (!why->empty()) hold_back_activation({*why, Until::reboot}, to, gap);
    return false;
  }
  if (is_coming(scene, "ib_ipoib")) return true;
  hold_back_activation(
      {fmt::format("there is no interface {} now: NetworkManager activates the profile when it appears", base),
       Until::hardware},
      to, gap);
  return false;
}

// NetworkManager activates the profile by itself once its interface has a carrier. One that runs with older settings
// stays as it is.
void hold_back_without_carrier(const Scene& scene, const NmProfileState* from, NmProfileState& to, Gap& gap) {
  if (stays_up(from, to) || !needs_carrier(ini::File(ini::keyfile, text_of(to)))) return;
  const NmProfileText text = read_nm_profile(to);
  if (why_without_carrier(scene, text.interface, text.parent, pkey_of(text)).empty()) return;
  const bool runs = from != nullptr && from->active == to.active;
  hold_back_activation({fmt::format("{} has no carrier: {} when it has one", text.interface,
                                    runs ? "apply again" : "NetworkManager activates the profile"),
                        Until::hardware},
                       to, gap);
}

// Of a bond, or of its port, why that bond cannot be ours.
Gap gap_by_bond(const Scene& scene, const NmProfileState& to) {
  const NmProfileText text = read_nm_profile(to);
  const std::string& bond = text.is_bond() ? text.interface : text.bond;
  return bond.empty() ? Gap{} : gap_of_bond_name(scene.snapshot, bond);
}

}  // namespace

bool stays_up(const NmProfileState* from, const NmProfileState& to) {
  return from != nullptr && from->active == to.active && from->applied.value_or(false) &&
         fixed_values(text_of(*from)) == fixed_values(text_of(to));
}

std::optional<State> nm_profile_still(const State* from, const State& to) {
  NmProfileState left = to.as<NmProfileState>();
  left.active.reset(), left.applied.reset();
  if (from != nullptr && is_as_asked(from->as<NmProfileState>(), left)) return std::nullopt;
  return State(nm_profile_kind, std::move(left));
}

Gap nm_profile_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return present != nullptr ? removed(scene, key, *present) : Gap{};
  const auto* from = present == nullptr ? nullptr : &present->as<NmProfileState>();
  Gap gap;
  if (from != nullptr) gap.blocked = type_clash(key, *from, file_of(*wanted));
  gap.is_in_the_way = !gap.blocked.empty();
  if (gap.is_in_the_way) return gap;
  NmProfileState to = wanted->as<NmProfileState>();
  if (from != nullptr) static_cast<FileState&>(to) = laid_over_file(*from, to);
  const NmState* nm = scene.snapshot.networkmanager();
  if (nm == nullptr) {
    to.loaded.reset(), to.active.reset(), to.applied.reset();
    if (scene.facts.live) gap.pending = {std::string(not_running), Until::owner};
  } else if (waits_for_module(scene, to, gap)) {
    gap.after = "module ib_ipoib";
    return gap;
  } else if (to.active && (from == nullptr || !is_as_asked(*from, to))) {
    hold_back_without_carrier(scene, from, to, gap);
  }
  if (from != nullptr && is_as_asked(*from, to)) return gap;
  if (Gap foreign = gap_by_bond(scene, to); !foreign.blocked.empty()) return foreign;
  gap.move = Gap::Move{from == nullptr ? std::optional<State>() : *present, State(nm_profile_kind, std::move(to))};
  return gap;
}

}  // namespace rdmastate
