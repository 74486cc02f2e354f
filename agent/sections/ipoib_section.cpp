// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fnmatch.h>

#include "sections/ipoib_check.hpp"
#include "sections/network/backend.hpp"

namespace rdmastate {
namespace {

void check(const Spec& spec, Report& report) {
  check_ipoib_identity(spec, report);
  check_ipoib_mtu(spec, report);
  check_ipoib_addresses(spec, report);
  check_backend(spec, spec.backend(), report);
}

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

// networkd takes the first file by name whose patterns match: ours are called 60-rdmastate-*.
bool stands_before_ours(const Claim& claim, const std::set<std::string>& names) {
  constexpr std::string_view ours = "60-rdmastate-";
  const std::string file = claim.path.substr(claim.path.rfind('/') + 1);
  return claim.manager == "networkd" && file < ours && std::any_of(names.begin(), names.end(), [&](const auto& name) {
           return ::fnmatch(claim.interface.c_str(), name.c_str(), 0) == 0;
         });
}

// What netplan generates of its files, ours among them.
bool is_generated(const Claim& claim) {
  return claim.path.starts_with("/run/systemd/network/10-netplan-") ||
         claim.path.starts_with("/run/NetworkManager/system-connections/netplan-");
}

// A file that configures one of our interfaces and that this spec does not write.
void find_foreign(const Facts& facts, Backend backend, Desired& desired) {
  std::set<std::string> ours;
  for (const auto& one : desired.wanted)
    if (one.kind->durable) ours.insert(one.kind->file_of_key(one.key));
  const std::set<std::string> names(desired.interfaces.begin(), desired.interfaces.end());
  for (const auto& claim : facts.claims) {
    if (backend == Backend::netplan && is_generated(claim)) continue;
    const bool is_pattern_before = backend == Backend::networkd && is_pattern(claim.interface);
    const bool is_theirs = is_pattern_before ? stands_before_ours(claim, names) : names.contains(claim.interface);
    if (is_theirs && !ours.contains(claim.path)) desired.foreign.push_back(claim);
  }
}

void expand_ipoib(const Spec& spec, const Facts& facts, Backend backend, Desired& desired, Report& report) {
  for (const auto& record : spec.ipoib) desired.interfaces.push_back(record.interface_name());
  if (spec.backend() == Backend::automatic) check_backend(spec, backend, report);
  if (backend == Backend::networkmanager) expand_networkmanager(spec, facts, desired, report);
  if (backend == Backend::networkd) expand_networkd(spec, facts, desired, report);
  if (backend == Backend::netplan) expand_netplan(spec, facts, desired, report);
  if (backend == Backend::ifupdown) expand_ifupdown(spec, facts, desired, report);
  if (backend == Backend::none) expand_none(spec, facts, desired, report);
  find_foreign(facts, backend, desired);
}

}  // namespace

constinit const Section ipoib_section{"ipoib", check, expand_ipoib, adopt_ipoib};

}  // namespace rdmastate
