// SPDX-License-Identifier: Apache-2.0
// The back ends: who configures the interfaces of a spec. Each is one row of one list, and nobody else tells them
// apart.
#pragma once

#include <optional>
#include <span>

#include "sections/ipoib/backends/profile.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// What a back end makes resources of, and where it puts them.
struct Expansion {
  const Spec& spec;
  std::span<const Profile> profiles;  ///< one or more
  const Facts& facts;
  Desired& desired;
  Report& report;
};

/// What a row answers where it says nothing else: never, nothing.
bool is_never(const Facts&, const Desired&);
bool generates_nothing(const Claim&);
bool prefers_nothing(const Claim&);
FilePlaces writes_nothing();

/// A back end: everything that the section asks of the program that configures interfaces. A constant per back end.
struct BackendRow {
  Backend backend;
  /// Why it is the one who configures this host's interfaces, as a sentence's end; empty where it is not.
  std::string (*why)(const Facts&);
  /// It counts only where no other owner of interfaces is here, whether this version has a back end for it or not.
  bool is_last_resort = false;
  /// What it has no way to express, of one record. Needs no host.
  void (*check)(const IpoibRecord&, std::size_t index, Report&);
  void (*expand)(const Expansion&);
  /// The records that its files, or what is live, mean: expand's inverse.
  void (*adopt)(const Adoption&, Adopted&);
  /// Whether rdmastate uses it on this host already: by what boot.json says, or by a file that is ours alone.
  bool (*is_used)(const Facts&, const Desired& boot) = is_never;
  /// Whether it makes this file itself, of what we wrote: then it is no other owner's.
  bool (*generates)(const Claim&) = generates_nothing;
  /// Of a claim of networkd's that goes by a pattern: whether it is read before what we write, where networkd is who
  /// reads that.
  bool (*prefers)(const Claim&) = prefers_nothing;
  /// Where the files are that it may write.
  FilePlaces (*places)() = writes_nothing;
};

/// Every back end there is, in the order in which `auto` asks them.
std::span<const BackendRow* const> all_backends();
/// Of any back end but `auto`.
const BackendRow& row_of(Backend backend);

/// The rows, in the order in which `auto` asks them.
extern const BackendRow netplan_backend;
extern const BackendRow networkmanager_backend;
extern const BackendRow networkd_backend;
extern const BackendRow ifupdown_backend;
extern const BackendRow none_backend;

/// The back end that was chosen.
struct BackendChoice {
  Backend backend = Backend::none;
  std::string reason;  ///< what on the host says so; empty where the spec does
};

/// The back end for this host: what the spec says, or for auto the first that says why. An owner without a back end
/// is refused by name at `network.backend`; then nullopt.
std::optional<BackendChoice> choose_backend(const Spec& spec, const Facts& facts, Report& report);

/// What this back end has no way to express; `auto` is judged when it is known. Needs no host.
void check_backend(const Spec& spec, Backend backend, Report& report);

// What rows are made of.

/// What Facts know of who runs here, or will; null where it does not.
const Manager* here(const Facts& facts, Backend backend);
/// Why, of a daemon.
std::string daemon_runs(const Facts& facts, Backend backend);
/// Refuses a child's name other than parent.XXXX.
void check_usual_name(const IpoibRecord& record, std::size_t index, std::string_view owner, Report& report);

/// Who brings what is live of an interface about, and what brings it back at the next boot.
struct LiveBy {
  std::string owner;               ///< as Wanted::awaited_from
  Twin twin;                       ///< of the link, its addresses and its routes
  std::vector<Twin> of_link = {};  ///< of the link alone, beside what gives it its name
  std::string waits = {};          ///< as Wanted::waits
};
/// Link, addresses and routes of one interface, as they shall be live.
void add_live(const Profile& profile, const LiveBy& by, const Expansion& to);

/// What gives a port's renamed interface its name at the next boot.
Twin name_twin(const Profile& profile, const Facts& facts);

/// The udev rules, or .link files, that name a port's interface at boot, and the rules that with `watch` call
/// rdmastate-event@.service when it appears.
void add_udev_rules(const Expansion& to, bool watch);

}  // namespace rdmastate
