// SPDX-License-Identifier: Apache-2.0
// Back end none: rdmastate moves links, addresses and routes itself; their twin is boot.json.
#include <fmt/format.h>

#include "resources/ipoib_link/ipoib_link.hpp"
#include "sections/boot_file.hpp"
#include "sections/ipoib/adopt.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// `otherwise` ends a hint: another back end that can do it. There is none for bonds.
template <class Block>
void check_resolver(const std::optional<Block>& block, const std::string& path, std::string_view otherwise,
                    Report& report) {
  const auto refuse = [&](const char* field) {
    complain(report, path + field, "back end none has no resolver to give this to",
             fmt::format("take it out{}", otherwise));
  };
  if (block && !block->dns.empty()) refuse(".dns");
  if (block && !block->search.empty()) refuse(".search");
}

// Of a record of `ipoib` or of `bonds`.
template <class Record>
void check_blocks(const Record& record, const std::string& path, std::string_view otherwise, Report& report) {
  if (record.ipv4 && record.ipv4->method == Ipv4Method::automatic)
    complain(report, path + ".ipv4.method", "back end none has no DHCP client",
             fmt::format("use method: manual{}", otherwise));
  check_resolver(record.ipv4, path + ".ipv4", otherwise, report);
  check_resolver(record.ipv6, path + ".ipv6", otherwise, report);
}

void check_none(const IpoibRecord& record, std::size_t i, Report& report) {
  check_blocks(record, ipoib_path(i), ", or use network: {backend: networkmanager}", report);
}

void check_none_bond(const BondRecord& bond, std::size_t i, Report& report) {
  check_blocks(bond, bond_path(i), "", report);
}

// Never empty: `auto` asks this back end last. In a tree presets may enable several managers: then it takes none of
// them.
std::string why_none(const Facts& facts) {
  std::vector<std::string_view> candidates;
  for (const auto& one : facts.managers)
    if (one.preset.has_value()) candidates.push_back(one.name);
  if (candidates.size() < 2) return "nobody else configures interfaces here";
  return fmt::format("no network manager is enabled here, and presets enable more than one ({})",
                     fmt::join(candidates, ", "));
}

// No owner is awaited: rdmastate moves the interfaces itself, now and by boot.json at the next boot. With `watch` udev
// starts rdmastate-event@.service for an interface that appears later.
void expand_none(const Expansion& to) {
  to.desired.wanted.reserve(to.desired.wanted.size() + 3 * to.profiles.size());  // a link and one or two addresses each
  for (const auto& profile : to.profiles) add_live(profile, {"", boot_twin()}, to);
  add_port_rules(to, {.watch = true});
}

LiveBy none_bond_by(const BondRecord&, std::size_t, const Expansion&) { return {"", boot_twin()}; }

bool none_is_used(const Facts&, const Desired& boot) {
  return std::any_of(boot.wanted.begin(), boot.wanted.end(),
                     [](const Wanted& one) { return one.kind == &ipoib_link_kind; });
}

}  // namespace

constinit const BackendRow none_backend{.backend = Backend::none,
                                        .why = why_none,
                                        .check = check_none,
                                        .check_bond = check_none_bond,
                                        .bond_by = none_bond_by,
                                        .expand = expand_none,
                                        .adopt = adopt_links,
                                        .is_used = none_is_used};

}  // namespace rdmastate
