// SPDX-License-Identifier: Apache-2.0
// Back end wicked (SUSE): ifcfg-NAME, ifroute-NAME and ifsysctl-NAME of each interface and bond, which wicked reads at
// the next boot, or when somebody runs `wicked ifreload`. rdmastate never runs wicked: the live state is awaited from
// it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/ascii.hpp"
#include "host/claims.hpp"
#include "resources/file/file.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/wicked/ifcfg_files.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// What ni_netdev_name_is_valid() of wicked takes, which allows no other character than IfName and these do.
bool can_be_named(std::string_view name) {
  return name.find_first_of("#+=@") == std::string_view::npos && !name.starts_with('_') && !name.starts_with('-') &&
         !name.starts_with('.');
}

void check_characters(const std::string& name, const std::string& path, Report& report) {
  if (!can_be_named(name))
    complain(report, path,
             "wicked takes letters, digits, '-', '_' and '.' in an interface's name, and a letter or digit in front",
             "give it another name");
}

void check_name(const IpoibRecord& record, std::size_t i, Report& report) {
  if (!record.name) return;
  const std::string& name = record.name->value;
  check_characters(name, ipoib_path(i, "name"), report);
  if (!record.is_child() && name.starts_with("dummy"))
    complain(report, ipoib_path(i, "name"), "wicked before 0.6.76 takes an interface for a dummy device by this name",
             "give the port's interface another name");
  if (!record.is_child() && name.find('.') != std::string::npos)
    complain(report, ipoib_path(i, "name"),
             "wicked takes an InfiniBand interface with a '.' in its name for a child of the one before the '.'",
             "give the port's interface a name without it");
}

template <class Block>
void check_resolver(const std::optional<Block>& block, const std::string& path, Report& report) {
  const auto refuse = [&](const char* field) {
    complain(report, path + field, "wicked has no key for the name servers and search domains of one interface",
             "take it out: NETCONFIG_DNS_STATIC_SERVERS and NETCONFIG_DNS_STATIC_SEARCHLIST in "
             "/etc/sysconfig/network/config are the host's");
  };
  if (block && !block->dns.empty()) refuse(".dns");
  if (block && !block->search.empty()) refuse(".search");
}

void check_wicked(const IpoibRecord& record, std::size_t i, Report& report) {
  check_child_name(record, i, "wicked", report);
  check_name(record, i, report);
  check_resolver(record.ipv4, ipoib_path(i, "ipv4"), report);
  check_resolver(record.ipv6, ipoib_path(i, "ipv6"), report);
}

// wicked refuses the file of a bond whose name is one of InfiniBand's: ib and a digit (client/suse/compat-suse.c:
// try_infiniband). dummy is one of a dummy device, as for a port's interface (check_name).
bool is_of_another_type(std::string_view name) {
  const bool is_ib = name.size() > 2 && name.starts_with("ib") && ascii::is_digit(name[2]);
  return is_ib || name.starts_with("dummy");
}

void check_wicked_bond(const BondRecord& bond, std::size_t i, Report& report) {
  const std::string path = bond_path(i, "name");
  check_characters(bond.name.value, path, report);
  if (is_of_another_type(bond.name.value))
    complain(
        report, path,
        fmt::format("wicked before 0.6.76 takes {} for an interface of another type by its name, and makes no bond",
                    bond.name.value),
        "give the bond another name, such as bond0");
  check_resolver(bond.ipv4, bond_path(i, "ipv4"), report);
  check_resolver(bond.ipv6, bond_path(i, "ipv6"), report);
}

void check_wicked_port(const IpoibRecord& record, std::size_t i, const BondRecord& bond, Report& report) {
  if (!record.ipv6 || record.ipv6->method == Ipv6Method::disabled) return;
  complain(report, ipoib_path(i, "ipv6.method"),
           fmt::format("wicked turns IPv6 off on {}, a port of {}", record.interface_name(), bond.name.value),
           "take ipv6 out: a bond's port has no IPv6 addresses");
}

std::string why_wicked(const Facts& facts) { return why_daemon(facts, Backend::wicked); }

// The sentences for Wanted::waits.
std::string why_awaited(const std::string& name) {
  return fmt::format("wicked configures it from {} at the next boot, or by wicked ifreload {}", ifcfg_path(name), name);
}

std::string why_awaited(const Profile& profile) {
  if (!profile.is_absent()) return why_awaited(profile.name);
  return fmt::format(
      "wicked is no longer told to make it, and leaves it alone until the next boot: ip link delete {} removes it "
      "now",
      profile.name);
}

Twin twin_in(std::string path, std::vector<std::string> fields = {}) {
  return {{file_kind.name, std::move(path)}, TwinForm::whole_file, std::move(fields)};
}

// Of an interface with these files.
LiveBy by_files_of(const std::string& name, std::string waits) {
  LiveBy by{"wicked", twin_in(ifcfg_path(name))};
  by.of_link = {twin_in(ifsysctl_path(name), {"ipv6"})};
  by.waits = std::move(waits);
  by.of_routes = twin_in(ifroute_path(name));
  return by;
}

void add_live_state(const Profile& profile, const Expansion& to) {
  LiveBy by = by_files_of(profile.name, why_awaited(profile));
  if (!profile.bond.empty()) by.of_link.clear();
  add_live(profile, by, to);
}

Wanted& add_file(std::string path, std::string text, const std::string& from, Desired& desired) {
  return desired.add({&file_kind, std::move(path), State(file_kind, regular_file(std::move(text))), from});
}

// The files beside ifcfg-NAME.
void add_ip_files(const std::string& name, const IpoibRecord& made, const std::string& from, Desired& desired) {
  if (has_routes(made)) add_file(ifroute_path(name), ifroute_text(name, made), from, desired);
  add_file(ifsysctl_path(name), ifsysctl_text(name, made), from, desired);
}

void expand_wicked(const Expansion& to) {
  for (const auto& profile : to.profiles) {
    add_live_state(profile, to);
    if (profile.is_absent()) continue;
    add_file(ifcfg_path(profile.name), ifcfg_text(profile), profile.path(), to.desired);
    if (profile.bond.empty()) add_ip_files(profile.name, profile.made, profile.path(), to.desired);
  }
  add_port_rules(to, {});
}

// A bond is adopted by what is live, so what else a foreign file says of it would go without a word.
TakenOver keep_foreign_bond(const State& ours) {
  return {
      ours,
      /*keeps_theirs=*/false,
      {"rdmastate takes over no file of a bond that somebody else made: remove it (wicked ifdown), and apply again"}};
}

LiveBy wicked_bond_by(const BondRecord& bond, std::size_t i, const Expansion& to) {
  const std::string& name = bond.name.value;
  Wanted& file = add_file(ifcfg_path(name), ifcfg_bond_text(bond, bond_mtu(to.spec, bond)), bond_path(i), to.desired);
  file.take_over = [ours = *file.state](const State&) { return keep_foreign_bond(ours); };
  add_ip_files(name, made_of(bond), bond_path(i), to.desired);
  return by_files_of(name, why_awaited(name));
}

// Where nothing is left of wicked's files beyond the applied spec, nothing is added.
void adopt_wicked(const Adoption& from, Adopted& to) {
  std::set<std::string> paths;
  for (const auto& claim : from.facts.claims)
    if (claim.manager == "wicked" && claim.path.starts_with(ifcfg_path("")) && !from.is_applied_file(claim.path))
      paths.insert(claim.path);
  adopt_ifcfg_files(from, paths, to);
}

// Of others' files a record keeps what claims say of them: ifcfg-NAME may hold secrets.
FilePlaces wicked_places() {
  FilePlaces all;
  for (const auto& path : {ifcfg_path("*"), ifroute_path("*"), ifsysctl_path("*")})
    all.push_back({path, [](const FileToKeep&) { return Kept{}; }});
  return all;
}

}  // namespace

constinit const BackendRow wicked_backend{.backend = Backend::wicked,
                                          .why = why_wicked,
                                          .check = check_wicked,
                                          .check_bond = check_wicked_bond,
                                          .check_port = check_wicked_port,
                                          .bond_by = wicked_bond_by,
                                          .expand = expand_wicked,
                                          .adopt = adopt_wicked,
                                          .places = wicked_places};

}  // namespace rdmastate
