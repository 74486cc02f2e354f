// SPDX-License-Identifier: Apache-2.0
// The back ends: one for each program that can configure the interfaces of a spec, and `none` for rdmastate itself.
// Each is one row of a list; no other code asks which one it is.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "sections/ipoib/backends/profile.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// What a back end makes resources of, and where it puts them.
struct Expansion {
  const Spec& spec;
  std::span<const Profile> profiles;  ///< of every record of `ipoib`; BackendRow::expand gets one or more
  const Facts& facts;
  Desired& desired;
  Report& report;
};

struct LiveBy;

/// A back end: everything that the section asks of the program that configures interfaces. A constant per back end.
struct BackendRow {
  Backend backend;
  /// Why it configures this host's interfaces, as the end of a sentence ("it is enabled (...)"); empty where it does
  /// not.
  std::string (*why)(const Facts&);
  /// Whether it writes a profile of NetworkManager for each interface; `profile` and `profile_settings` are refused by
  /// one that does not.
  bool has_profiles = false;
  /// Reports what it cannot express of one record. Needs no host.
  void (*check)(const IpoibRecord&, std::size_t index, Report&);
  /// Reports what it cannot express of one bond.
  void (*check_bond)(const BondRecord&, std::size_t index, Report&) = nothing;
  /// Reports what it cannot express of a record, by its index, that is a port of a bond.
  void (*check_port)(const IpoibRecord&, std::size_t index, const BondRecord&, Report&) = nothing;
  /// Adds the files that it writes for a bond, and says who makes the bond's live state. Null: it makes no bonds, and
  /// the section is refused.
  LiveBy (*bond_by)(const BondRecord&, std::size_t index, const Expansion&) = nullptr;
  /// Adds to `Expansion::desired` the files of this back end, and each interface's link, addresses and routes.
  void (*expand)(const Expansion&);
  /// Makes records from its files, or from what is live: the inverse of expand.
  void (*adopt)(const Adoption&, Adopted&);
  /// Whether rdmastate uses it on this host already: boot.json says so, or a file that only rdmastate writes.
  bool (*is_used)(const Facts&, const Desired& boot) = nothing;
  /// Whether it generated this file from a file of rdmastate: such a claim is not foreign.
  bool (*generates)(const Claim&) = nothing;
  /// The name of the .network file of an interface. A foreign .network file that matches the interface by a pattern,
  /// and whose name sorts before this one, takes the interface. Empty: networkd reads no file of this back end on this
  /// host.
  std::string (*network_file)(const Profile&, const Facts&) = nothing;
  /// Where the files are that it may write.
  FilePlaces (*places)() = nothing;
};

/// Every back end there is, in the order in which `auto` asks them.
std::span<const BackendRow* const> all_backends();
/// The row of a back end; throws Error for `auto`, which has none.
const BackendRow& row_of(Backend backend);

/// Each is defined in the folder of its name.
extern const BackendRow netplan_backend;
extern const BackendRow networkmanager_backend;
extern const BackendRow networkd_backend;
extern const BackendRow wicked_backend;
extern const BackendRow ifupdown_backend;
extern const BackendRow none_backend;

/// The back end that was chosen.
struct BackendChoice {
  Backend backend = Backend::none;
  std::string reason;  ///< what on the host says so; empty where the spec does
};

/// The back end for this host: the one that the spec names; for `auto` the first whose `why` is not empty, or in a tree
/// in which no manager is enabled, the one that presets enable. Warns at `network.backend` of a program that is not
/// installed, or that presets alone enable.
BackendChoice choose_backend(const Spec& spec, const Facts& facts, Report& report);

/// Reports what this back end cannot express. Of `auto` nothing: ask again with the one that was chosen. Needs no host.
void check_backend(const Spec& spec, Backend backend, Report& report);

// Helpers of the rows.

/// The manager of this back end where it runs or is enabled on this host; else null.
const Manager* manager_here(const Facts& facts, Backend backend);
/// `why` of a back end that is a daemon: that it runs or is enabled; empty where it is neither.
std::string why_daemon(const Facts& facts, Backend backend);
/// Reports a child that is not called parent.XXXX (the P_Key in hexadecimal). `owner`: the program that gives no other.
void check_child_name(const IpoibRecord& record, std::size_t index, std::string_view owner, Report& report);

/// Reports what `owner` sets nothing of on the port of a bond: IPv6. `index` is that of the port's record.
void check_ipv6_of_port(const IpoibRecord& record, std::size_t index, const BondRecord& bond, std::string_view owner,
                        Report& report);

/// Who makes an interface's live state, and what makes it again at the next boot.
struct LiveBy {
  std::string owner;               ///< as Wanted::awaited_from
  Twin twin;                       ///< of the link, its addresses and its routes
  std::vector<Twin> of_link = {};  ///< further twins of the link or bond; add_live() adds name_twin()
  std::string waits = {};          ///< as Wanted::waits
  /// Settings of a port's interface that the owner has no key for, as Wanted::unset_by_owner: they get a twin of their
  /// own, see settings_twins(). Of a bond: those that the owner changes no more once it has made it.
  std::vector<std::string_view> unset_by_owner = {};
  std::optional<Twin> of_routes = {};  ///< in place of `twin`, where the owner reads routes from another file
};
/// What the kernel does about IPv6 with this method.
Ipv6Conf kernel_conf(Ipv6Method method);
/// Adds the addresses and routes of one block, each with its twin; `path` gives the place of a field of its record.
void add_addresses(const LinkId& id, const Ipv4Block& block, const std::function<std::string(std::string_view)>& path,
                   const LiveBy& by, Desired& desired);
void add_addresses(const LinkId& id, const Ipv6Block& block, const std::function<std::string(std::string_view)>& path,
                   const LiveBy& by, Desired& desired);
/// Adds one interface's link, addresses and routes to what is wanted, each with its twin; for an absent child only that
/// its link shall not be there.
void add_live(const Profile& profile, const LiveBy& by, const Expansion& to);

/// What gives a port's renamed interface its name at the next boot.
Twin name_twin(const Profile& profile, const Facts& facts);

/// What the udev rules do for ports' interfaces beside giving them names.
struct PortRules {
  /// They start rdmastate-event@.service when an interface appears.
  bool watch = false;
  /// They write these settings (fields of IpoibSettings) to the interface's files in sysfs when it appears, before
  /// systemd-networkd sees it. A mode wants systemd 247: an older one is reported at `mode`.
  std::vector<std::string_view> settings = {};
};

/// The twins of `settings`: the udev rules that write them (add_port_rules()). None for a setting that the spec leaves
/// out, or gives the value that ib_ipoib begins with.
std::vector<Twin> settings_twins(const Profile& profile, const std::vector<std::string_view>& settings,
                                 const Facts& facts);

/// Wants the udev rules or .link files that name ports' interfaces at boot, and the rules that PortRules describes.
/// Reports a port to be named whose GUID is not known, and what add_link_file() reports.
void add_port_rules(const Expansion& to, const PortRules& rules);

}  // namespace rdmastate
