// SPDX-License-Identifier: Apache-2.0
// The back ends: who configures the interfaces of a spec, and what each of them cannot do.
#pragma once

#include <optional>

#include "resources/link_id.hpp"
#include "sections/section.hpp"

namespace rdmastate {

struct BackendChoice {
  Backend backend = Backend::none;
  std::string reason;  ///< what on the host says so; empty where the spec does
};

/// The back end for this host: what the spec says, or for auto netplan where it has files (it writes those of the next
/// two), else networkmanager where it runs or is enabled, else networkd where that does, else ifupdown where its files
/// name an interface, and none where nothing owns the interfaces. Any other owner is refused by name at
/// `network.backend`; then nullopt.
std::optional<BackendChoice> choose_backend(const Spec& spec, const Facts& facts, Report& report);

/// What this back end has no way to express. Needs no host.
void check_backend(const Spec& spec, Backend backend, Report& report);

/// Resources of `ipoib` on each back end.
void expand_none(const Spec& spec, const Facts& facts, Desired& desired, Report& report);
void expand_networkd(const Spec& spec, const Facts& facts, Desired& desired, Report& report);
void expand_networkmanager(const Spec& spec, const Facts& facts, Desired& desired, Report& report);

void expand_ifupdown(const Spec& spec, const Facts& facts, Desired& desired, Report& report);
void expand_netplan(const Spec& spec, const Facts& facts, Desired& desired, Report& report);

/// The interface of each record of `ipoib`, by the most stable selector that the spec gives.
std::vector<LinkId> link_ids(const Spec& spec);
/// Link, addresses and routes of one record, whose interface is `id`, as they shall be live. `awaited_from` as in
/// Wanted.
std::vector<Wanted> live_resources(const Spec& spec, std::size_t index, const LinkId& id,
                                   const std::string& awaited_from);
/// The udev rules, or .link files, that name a port's interface at boot, and the rules that with `watch` call
/// rdmastate-event@.service when it appears.
void add_udev_rules(const Spec& spec, const Facts& facts, bool watch, Desired& desired, Report& report);
/// Whether udev gives this record's interface its name, by a rule or a .link file.
bool is_renamed(const IpoibRecord& record);

}  // namespace rdmastate
