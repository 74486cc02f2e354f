// SPDX-License-Identifier: Apache-2.0
// Back end ifupdown: a file of stanzas for each interface (interfaces(5)), which ifup reads when rdmastate runs it, and
// at boot; the live state is awaited from it. ifup makes a child through its parent's create_child, when it is named
// parent.XXXX and the parent has link type 32.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "host/file_owners.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/ifupdown/interfaces_file.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// '=' and '/' mean something in `auto`, '+' and '@' in what ifup is told, '#' is a comment (interfaces(5), ifup(8)).
bool can_be_named(std::string_view name) { return name.find_first_of("#+=@") == std::string_view::npos; }

template <class Block>
bool gives_dns(const std::optional<Block>& block) {
  return block && (!block->dns.empty() || !block->search.empty());
}

void warn_of_resolver(const IpoibRecord& record, std::size_t i, Report& report) {
  const bool four = gives_dns(record.ipv4);
  if (!four && !gives_dns(record.ipv6)) return;
  warn(report, ipoib_path(i, four ? "ipv4" : "ipv6"),
       "ifupdown hands dns and search to resolvconf or systemd-resolved: where neither is installed nobody reads them",
       "install resolvconf where systemd-resolved does not run");
}

void check_ifupdown(const IpoibRecord& record, std::size_t i, Report& report) {
  check_child_name(record, i, "ifupdown", report);
  if (record.name && !can_be_named(record.name->value))
    complain(report, ipoib_path(i, "name"),
             "ifupdown takes letters, digits, '-', '_' and '.' in an interface's name: other characters mean something "
             "in its files",
             "give it another name, or use network: {backend: networkd}");
  if (!record.is_child() && record.name && record.name->value.find('.') != std::string::npos)
    complain(report, ipoib_path(i, "name"),
             "ifupdown takes an interface with a '.' in its name for a child of the one before the '.'",
             "give the port's interface a name without it, or use network: {backend: networkd}");
  warn_of_resolver(record, i, report);
}

std::string why_ifupdown(const Facts& facts) {
  const Manager* manager = manager_here(facts, Backend::ifupdown);
  return manager == nullptr ? "" : fmt::format("{} names an interface, and no other owner runs", manager->evidence);
}

void check_included(const Facts& facts, const std::string& path, Report& report) {
  if (includes_file(facts.includes, path)) return;
  complain(
      report, "network.backend",
      fmt::format(
          "/etc/network/interfaces includes no file in /etc/network/interfaces.d, so ifupdown would not read {}", path),
      "add this line to it: source /etc/network/interfaces.d/*");
}

// The sentence for Wanted::waits, of a host whose ifup rdmastate does not run.
std::string ifupdown_why_awaited(const Facts& facts, const Profile& profile, const std::string& path) {
  const std::string& name = profile.name;
  if (facts.ifupdown) return {};
  if (profile.is_absent())
    return fmt::format(
        "ifupdown is no longer told to make it, and leaves it alone until the next boot: ip link delete {} removes it now",
        name);
  return fmt::format("ifupdown configures it from {} at the next boot, or by ifdown --force {} and ifup {}", path, name,
                     name);
}

// Where ifup runs now, a child that ifupdown does not hold is removed by rdmastate.
std::string owner_of(const Facts& facts, const Profile& profile) {
  return facts.ifupdown && profile.is_absent() ? "" : "ifupdown";
}

void expand_ifupdown(const Expansion& to) {
  std::set<std::string> paths;
  for (const auto& profile : to.profiles) {
    const std::string path = ifupdown_path(profile.name);
    if (!paths.insert(path).second)
      complain(to.report, profile.path(), fmt::format("{} would be the file of two interfaces", path),
               "give one of them a name that differs in more than '.' and '-'");
    add_live(profile,
             {owner_of(to.facts, profile),
              {{ifupdown_file_kind.name, path}, TwinForm::whole_file, {}},
              /*of_link=*/{},
              ifupdown_why_awaited(to.facts, profile, path)},
             to);
    if (profile.is_absent()) continue;
    State state(ifupdown_file_kind, wanted_ifupdown_file(interfaces_text(profile)));
    to.desired.add({&ifupdown_file_kind, path, std::move(state), profile.path(), "", {}});
  }
  check_included(to.facts, ifupdown_path(to.profiles.front().name), to.report);
  add_port_rules(to, {});
}

bool is_ours(const std::string& path) { return path.starts_with(ifupdown_path("")); }

bool ifupdown_is_used(const Facts& facts, const Desired&) {
  return std::any_of(facts.claims.begin(), facts.claims.end(), [](const Claim& claim) { return is_ours(claim.path); });
}

// Where there is no file of rdmastate, the interfaces are adopted as they are now.
void adopt_ifupdown(const Adoption& from, Adopted& to) {
  std::set<std::string> paths;
  for (const auto& claim : from.facts.claims)
    if (is_ours(claim.path)) paths.insert(claim.path);
  if (paths.empty()) return adopt_links(from, to);
  if (!from.applied.holds("ipoib")) adopt_interfaces_files(from, paths, to);
}

FilePlaces ifupdown_places() { return whole_files({ifupdown_path("*")}); }

}  // namespace

constinit const BackendRow ifupdown_backend{.backend = Backend::ifupdown,
                                            .why = why_ifupdown,
                                            .check = check_ifupdown,
                                            .expand = expand_ifupdown,
                                            .adopt = adopt_ifupdown,
                                            .is_used = ifupdown_is_used,
                                            .places = ifupdown_places};

}  // namespace rdmastate
