// SPDX-License-Identifier: Apache-2.0
// Back end wicked (SUSE): ifcfg-NAME, ifroute-NAME and ifsysctl-NAME of each interface, which wicked reads at the next
// boot, or when somebody runs `wicked ifreload`. rdmastate never runs wicked: the live state is awaited from it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "host/claims.hpp"
#include "resources/file/file.hpp"
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

void check_name(const IpoibRecord& record, std::size_t i, Report& report) {
  if (!record.name) return;
  const std::string& name = record.name->value;
  if (!can_be_named(name))
    complain(report, ipoib_path(i, "name"),
             "wicked takes letters, digits, '-', '_' and '.' in an interface's name, and a letter or digit in front",
             "give it another name");
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

std::string why_wicked(const Facts& facts) { return why_daemon(facts, Backend::wicked); }

// The sentence for Wanted::waits.
std::string wicked_why_awaited(const Profile& profile) {
  const std::string& name = profile.name;
  if (profile.is_absent())
    return fmt::format(
        "wicked is no longer told to make it, and leaves it alone until the next boot: ip link delete {} removes it "
        "now",
        name);
  return fmt::format("wicked configures it from {} at the next boot, or by wicked ifreload {}", ifcfg_path(name), name);
}

Twin twin_in(std::string path, std::vector<std::string> fields = {}) {
  return {{file_kind.name, std::move(path)}, TwinForm::whole_file, std::move(fields)};
}

void add_live_state(const Profile& profile, const Expansion& to) {
  LiveBy by{"wicked", twin_in(ifcfg_path(profile.name))};
  by.of_link = {twin_in(ifsysctl_path(profile.name), {"ipv6"})};
  by.waits = wicked_why_awaited(profile);
  by.of_routes = twin_in(ifroute_path(profile.name));
  add_live(profile, by, to);
}

void expand_wicked(const Expansion& to) {
  for (const auto& profile : to.profiles) {
    add_live_state(profile, to);
    if (profile.is_absent()) continue;
    const auto add = [&](std::string path, std::string text) {
      to.desired.add({&file_kind, std::move(path), State(file_kind, regular_file(std::move(text))), profile.path()});
    };
    add(ifcfg_path(profile.name), ifcfg_text(profile));
    if (has_routes(profile)) add(ifroute_path(profile.name), ifroute_text(profile));
    add(ifsysctl_path(profile.name), ifsysctl_text(profile));
  }
  add_port_rules(to, {});
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
                                          .expand = expand_wicked,
                                          .adopt = adopt_wicked,
                                          .places = wicked_places};

}  // namespace rdmastate
