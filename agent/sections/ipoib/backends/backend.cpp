// SPDX-License-Identifier: Apache-2.0
// The list of back ends and the helpers of their rows. Of backend.hpp, choice.cpp defines choose_backend(), live.cpp
// add_live(), and naming.cpp the twins and udev rules.
#include "sections/ipoib/backends/backend.hpp"

#include <fmt/format.h>

#include <array>

#include "base/error.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

// netplan writes the files of the next two; ifupdown and none are where no daemon runs.
constexpr std::array rows{&netplan_backend, &networkmanager_backend, &networkd_backend,
                          &wicked_backend,  &ifupdown_backend,       &none_backend};

// Of a back end that writes no profile of NetworkManager.
void refuse_profile(const IpoibRecord& record, std::size_t index, const BackendRow& row, Report& report) {
  const auto refuse = [&](std::string_view field) {
    complain(report, ipoib_path(index, field),
             fmt::format("back end {} does not take settings of a NetworkManager profile", to_text(row.backend)),
             "take it out, or use network: {backend: networkmanager}");
  };
  if (record.profile) refuse("profile");
  if (record.profile_settings) refuse("profile_settings");
}

// "{backend: networkd} or {backend: none}", of the back ends that make bonds.
std::string backends_with_bonds() {
  std::vector<std::string> words;
  for (const BackendRow* row : rows)
    if (row->bond_by != nullptr) words.push_back(fmt::format("{{backend: {}}}", to_text(row->backend)));
  return fmt::format("{}", fmt::join(words, " or "));
}

// Of a back end that makes no bonds.
void refuse_bond(std::size_t index, const BackendRow& row, Report& report) {
  complain(report, bond_path(index, "name"),
           fmt::format("with back end {} rdmastate makes no bonds of IPoIB interfaces yet", to_text(row.backend)),
           fmt::format("use network: {}, or let that program's own files make the bond, and take it out here",
                       backends_with_bonds()));
}

void check_ports(const Spec& spec, const BondRecord& bond, const BackendRow& row, Report& report) {
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i)
    for (const IfName& port : bond.ports)
      if (spec.ipoib[i].interface_name() == port.value) row.check_port(spec.ipoib[i], i, bond, report);
}

}  // namespace

std::span<const BackendRow* const> all_backends() { return rows; }

const BackendRow& row_of(Backend backend) {
  for (const BackendRow* row : rows)
    if (row->backend == backend) return *row;
  throw Error(fmt::format("there is no back end '{}'", to_text(backend)));
}

void check_backend(const Spec& spec, Backend backend, Report& report) {
  if (backend == Backend::automatic) return;
  const BackendRow& row = row_of(backend);
  for (std::size_t i = 0; i < spec.ipoib.size(); ++i) {
    row.check(spec.ipoib[i], i, report);
    if (!row.has_profiles) refuse_profile(spec.ipoib[i], i, row, report);
  }
  for (std::size_t i = 0; i < spec.bonds.size(); ++i) {
    if (row.bond_by == nullptr) {
      refuse_bond(i, row, report);
      continue;
    }
    row.check_bond(spec.bonds[i], i, report);
    check_ports(spec, spec.bonds[i], row, report);
  }
}

const Manager* manager_here(const Facts& facts, Backend backend) {
  const Manager* manager = facts.manager(to_text(backend));
  return manager != nullptr && manager->is_here() ? manager : nullptr;
}

std::string why_daemon(const Facts& facts, Backend backend) {
  const Manager* manager = manager_here(facts, backend);
  if (manager == nullptr) return {};
  return fmt::format("it {} ({})", manager->running ? "has run since the last boot" : "is enabled", manager->evidence);
}

void check_child_name(const IpoibRecord& record, std::size_t index, std::string_view owner, Report& report) {
  if (!record.is_child() || !record.pkey || !record.name) return;
  const std::string must_be = child_name(record.parent->value, *record.pkey);
  if (record.name->value != must_be)
    complain(report, ipoib_path(index, "name"),
             fmt::format("{} names this child {} and takes no other name", owner, must_be),
             fmt::format("leave name out, or write name: {}", must_be));
}

void check_ipv6_of_port(const IpoibRecord& record, std::size_t index, const BondRecord& bond, std::string_view owner,
                        Report& report) {
  if (!record.ipv6) return;
  complain(report, ipoib_path(index, "ipv6"),
           fmt::format("{} sets nothing of IPv6 on {}, a port of {}", owner, record.interface_name(), bond.name.value),
           "take it out: a bond's port has no IPv6 addresses");
}

}  // namespace rdmastate
