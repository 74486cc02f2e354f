// SPDX-License-Identifier: Apache-2.0
// Back end ifupdown: one file of stanzas (interfaces(5)), which ifup reads at boot or when an administrator runs it.
// ifup makes a child through its parent's create_child, when it is named parent.XXXX and the parent has link type 32.
#include <fmt/format.h>

#include <algorithm>

#include "host/file_owners.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
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

void check(const IpoibRecord& record, std::size_t i, Report& report) {
  check_child_name(record, i, "ifupdown", report);
  if (record.name && !can_be_named(record.name->value))
    complain(report, ipoib_path(i, "name"),
             "ifupdown takes letters, digits, '-', '_' and '.' in an interface's name: other characters mean something "
             "in its files",
             "give it another name, or use network: {backend: networkd}");
  warn_of_resolver(record, i, report);
}

std::string why(const Facts& facts) {
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

// The sentence for Wanted::waits.
std::string why_awaited(const Profile& profile, const std::string& path) {
  const std::string& name = profile.name;
  if (profile.is_absent())
    return fmt::format(
        "ifupdown is no longer told to make it, and leaves it alone until the next boot: ip link delete {} removes it now",
        name);
  return fmt::format("ifupdown configures it from {} at the next boot, or by ifdown --force {} and ifup {}", path, name,
                     name);
}

void expand(const Expansion& to) {
  const std::string path(common_layout().ifupdown_file);
  check_included(to.facts, path, to.report);
  for (const auto& profile : to.profiles)
    add_live(profile, {"ifupdown", {{file_kind.name, path}, TwinForm::whole_file, {}}, {}, why_awaited(profile, path)},
             to);
  to.desired.add({&file_kind, path, State(file_kind, regular_file(interfaces_text(to.profiles))), "ipoib", "", {}});
  add_port_rules(to, {});
}

bool is_used(const Facts& facts, const Desired&) {
  return std::any_of(facts.claims.begin(), facts.claims.end(),
                     [](const Claim& claim) { return claim.path == common_layout().ifupdown_file; });
}

// Where there is no file of rdmastate, the interfaces are adopted as they are now.
void adopt(const Adoption& from, Adopted& to) {
  const bool is_ours = from.snapshot.exists(std::string(common_layout().ifupdown_file));
  if (!is_ours) return adopt_links(from, to);
  if (!from.applied.holds("ipoib")) adopt_interfaces_file(from, to);
}

FilePlaces places() { return whole_files({common_layout().ifupdown_file}); }

}  // namespace

constinit const BackendRow ifupdown_backend{.backend = Backend::ifupdown,
                                            .why = why,
                                            .is_last_resort = true,
                                            .check = check,
                                            .expand = expand,
                                            .adopt = adopt,
                                            .is_used = is_used,
                                            .places = places};

}  // namespace rdmastate
