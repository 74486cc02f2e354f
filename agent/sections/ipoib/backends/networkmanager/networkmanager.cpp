// SPDX-License-Identifier: Apache-2.0
// Back end networkmanager: one keyfile per interface (nm-settings-keyfile(5)); the live state is awaited from
// NetworkManager.
#include "sections/ipoib/backends/networkmanager/networkmanager.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/mark.hpp"
#include "platform/layout.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile.hpp"
#include "sections/ipoib/backends/networkmanager/keyfile_keys.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

void check_networkmanager(const IpoibRecord& record, std::size_t i, Report& report) {
  if (record.umcast)
    complain(report, ipoib_path(i, "umcast"), "umcast on back end networkmanager is not in this version",
             "take it out, or use network: {backend: none}");
  check_child_name(record, i, "NetworkManager", report);
}

std::string why_networkmanager(const Facts& facts) { return why_daemon(facts, Backend::networkmanager); }

// NetworkManager gives the port of a bond no IP settings, and leaves what the kernel does about IPv6 there.
void check_nm_port(const IpoibRecord& record, std::size_t i, const BondRecord& bond, Report& report) {
  check_ipv6_of_port(record, i, bond, "NetworkManager", report);
  if (!record.profile_settings) return;
  for (const auto& [one, value] : *record.profile_settings)
    if (one.setting == "ipv4" || one.setting == "ipv6")
      complain(report, ipoib_path(i, "profile_settings"),
               fmt::format("{} is not for {}, a port of {}", to_text(one), record.interface_name(), bond.name.value),
               "take it out");
}

LiveBy networkmanager_bond_by(const BondRecord& bond, std::size_t index, const Expansion& to) {
  const std::string path = nm_profile_path(bond.name.value);
  NmProfileState profile = nm_bond_profile_of(Template("ipoib.nmconnection", escape_line), bond,
                                              bond_mtu(to.spec, bond), platform_of(to.facts));
  Wanted& one = to.desired.add({&nm_profile_kind, path, State(nm_profile_kind, std::move(profile)), bond_path(index)});
  one.take_over = [ours = *one.state](const State&) {
    return TakenOver{
        ours,
        /*keeps_theirs=*/false,
        {"rdmastate takes over no profile of a bond that somebody else made: remove it (nmcli connection delete), and apply again"}};
  };
  return {"NetworkManager", {{nm_profile_kind.name, path}, TwinForm::whole_file}};
}

void expand_networkmanager(const Expansion& to) {
  const NmProfiles profiles(to);
  to.desired.wanted.reserve(to.desired.wanted.size() +
                            4 * to.profiles.size());  // a profile, a link and one or two addresses each
  for (const auto& profile : to.profiles) {
    check_nm_mode(profile, to.report);
    profiles.add(profile);
  }
  add_port_rules(to, {});
}

// Where a profile's record stands: ports in the order of our udev rules, then other ports, then children.
std::size_t place_among(const std::vector<NamedPort>& ports, const Ini& file) {
  if (!file.value("infiniband", "parent").empty()) return ports.size() + 1;
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const NamedPort& port) {
    return port.name == file.value("connection", "interface-name");
  });
  return static_cast<std::size_t>(found - ports.begin());
}

bool is_ipoib(const Ini& file) { return file.value("connection", "type") == "infiniband"; }

// A sentence on what the profile says beyond a spec; empty where there is nothing, and for a profile of rdmastate.
std::string sentence_on_rest(const Adoption& from, const Ini& file) {
  std::vector<std::string> known = known_keyfile_keys();
  for (const char* key : {"connection.id", "connection.uuid", "connection.type", "connection.interface-name",
                          "connection.timestamp", "infiniband.mac-address", "user.rdmastate.digest"})
    known.emplace_back(key);
  if (is_rendered(from.snapshot.read(file.path()).value_or(""))) return {};
  return sentence_on_other_keys(file, known);
}

bool has_record(const Spec& spec, const std::string& interface) {
  return std::any_of(spec.ipoib.begin(), spec.ipoib.end(),
                     [&](const IpoibRecord& one) { return one.interface_name() == interface; });
}

// Two foreign profiles may have one name, which a spec may not. Takes the name out of the second record; --adopt keeps
// it in the profile.
void leave_out_shared_names(Adopted& to) {
  for (auto shared = shared_profile_names(to.spec); !shared.empty(); shared = shared_profile_names(to.spec)) {
    const auto [first, second] = shared.back();
    auto& name = to.spec.ipoib[second].profile;
    const std::string path = ipoib_path(second, "profile");
    std::erase_if(to.sources, [&](const FieldSource& one) { return one.path == path; });
    to.left_out.push_back(
        fmt::format("the profile of {} is named {} as that of {} is, and a spec gives each its own name",
                    to.spec.ipoib[second].interface_name(), name->value, to.spec.ipoib[first].interface_name()));
    name.reset();
  }
}

void note_without_profile(const Adoption& from, Adopted& to) {
  if (from.snapshot.is_tree()) return;
  for (const Link* link : from.snapshot.links())
    if (link->is_ipoib() && link->up && !has_record(to.spec, link->name))
      to.left_out.push_back(fmt::format("{} is up, but NetworkManager has no profile for it", link->name));
}

// The InfiniBand profiles that are not the applied spec's, in the order of their records. One that names no interface
// is left out.
std::vector<Ini> ipoib_profiles(const Adoption& from, Adopted& to, bool children_only) {
  std::vector<Ini> files;
  for (const auto& claim : from.facts.claims) {
    const bool is_profile =
        claim.manager == "networkmanager" && claim.path.find("/system-connections/") != std::string::npos;
    if (!is_profile || from.is_applied_file(claim.path)) continue;
    Ini file(claim.path, ini::keyfile, from.snapshot.read(claim.path).value_or(""));
    const bool is_named = !file.value("connection", "interface-name").empty();
    if (is_ipoib(file) && !is_named)
      to.left_out.push_back(fmt::format("{} names no interface: it is for {}", claim.path, claim.interface));
    if (is_named) files.push_back(std::move(file));
  }
  std::erase_if(files, [&](const Ini& file) {
    return !is_ipoib(file) || (children_only && file.value("infiniband", "parent").empty());
  });
  const auto ports = ports_named_by_rules(from.snapshot);
  std::stable_sort(files.begin(), files.end(),
                   [&](const Ini& a, const Ini& b) { return place_among(ports, a) < place_among(ports, b); });
  return files;
}

void adopt_networkmanager(const Adoption& from, Adopted& to) { adopt_nm_profiles(from, to, /*children_only=*/false); }

}  // namespace

// NetworkManager writes the mode of every profile it activates, so one that the spec leaves open would be changed.
void check_nm_mode(const Profile& profile, Report& report) {
  if (profile.made.mode) return;
  complain(report, profile.path(),
           fmt::format("NetworkManager sets the mode of every interface it activates, so {} needs one", profile.name),
           "add mode: as it is now (cat /sys/class/net/IF/mode), or as you want it: datagram or connected");
}

void NmProfiles::add(const Profile& profile) const {
  const std::string path = nm_profile_path(profile.name);
  const std::string owner = profile.is_absent() ? "" : "NetworkManager";  // NetworkManager removes only what it made
  add_live(profile, {owner, {{nm_profile_kind.name, path}, TwinForm::whole_file}}, to_);
  if (profile.is_absent()) return;
  State state(nm_profile_kind, nm_profile_of(text_, profile, platform_));
  Wanted& one = to_.desired.add({&nm_profile_kind, path, std::move(state), profile.path()});
  one.take_over = [asked = profile.asked, bond = profile.bond](const State& theirs) {
    return keyfile_over(asked, bond, theirs);
  };
}

void adopt_nm_profiles(const Adoption& from, Adopted& to, bool children_only) {
  for (const auto& file : ipoib_profiles(from, to, children_only)) {
    if (has_record(to.spec, file.value("connection", "interface-name"))) {
      to.left_out.push_back(
          fmt::format("{} is a second profile of {}", file.path(), file.value("connection", "interface-name")));
    } else {
      adopt_keyfile(from, file, to);
      if (auto rest = sentence_on_rest(from, file); !rest.empty()) to.left_out.push_back(std::move(rest));
    }
  }
  leave_out_shared_names(to);
  note_without_profile(from, to);
}

constinit const BackendRow networkmanager_backend{.backend = Backend::networkmanager,
                                                  .why = why_networkmanager,
                                                  .has_profiles = true,
                                                  .check = check_networkmanager,
                                                  .check_port = check_nm_port,
                                                  .bond_by = networkmanager_bond_by,
                                                  .expand = expand_networkmanager,
                                                  .adopt = adopt_networkmanager};

}  // namespace rdmastate
