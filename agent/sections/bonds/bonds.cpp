// SPDX-License-Identifier: Apache-2.0
// The Section `bonds`. expand_bonds() wants each bond with its addresses and routes, and the driver's module where
// section `modules` does not load that. adopt_bonds() makes records of the bonds of boot.json and of the others that
// are there.
#include "platform/layout.hpp"
#include "resources/address.hpp"
#include "resources/bond/bond.hpp"
#include "resources/module.hpp"
#include "resources/route.hpp"
#include "sections/bonds/adopt.hpp"
#include "sections/bonds/check.hpp"
#include "sections/boot_file.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {
namespace {

void check(const Spec& spec, Report& report) { check_bonds(spec, report); }

LinkId id_of(std::span<const Profile> profiles, const IfName& name) {
  for (const auto& profile : profiles)
    if (profile.name == name.value) return profile.id;
  LinkId id;
  id.name = name.value;
  return id;
}

// An owner such as NetworkManager takes router advertisements itself.
std::optional<Ipv6Conf> conf_wanted(const BondRecord& record, const LiveBy& by) {
  const bool is_by_owner = record.ipv6 && record.ipv6->method == Ipv6Method::automatic && !by.owner.empty();
  return record.ipv6 && !is_by_owner ? std::optional(kernel_conf(record.ipv6->method)) : std::nullopt;
}

BondLink bond_wanted(const Spec& spec, const BondRecord& record, std::span<const Profile> profiles, const LiveBy& by) {
  BondLink bond;
  bond.settings() = record.settings();
  bond.name = record.name;
  if (!bond.arp_interval) bond.arp_interval = 0;
  if (!bond.miimon) bond.miimon = *bond.arp_interval == 0 ? usual_miimon : 0;
  if (!bond.arp_targets) bond.arp_targets.emplace();
  for (const IfName& port : record.ports) bond.ports.push_back(id_of(profiles, port));
  if (record.primary) bond.primary = id_of(profiles, *record.primary);
  bond.mtu = bond_mtu(spec, record);
  bond.ipv6 = conf_wanted(record, by);
  bond.up = true;
  return bond;
}

// The one who makes the first bond loads it.
void add_driver(const Spec& spec, const LiveBy& by, Desired& desired) {
  const std::string driver(bond_module);
  if (loads(spec, driver)) return;
  desired.add({&module_kind, driver, State(module_kind, ModuleState{{driver}}), bond_path(0), by.owner, {by.twin}});
}

void add_bond(const BondRecord& record, std::size_t i, const LiveBy& by, const Expansion& to) {
  const LinkId id = bond_id(record.name.value);
  Wanted& bond =
      to.desired.add({&bond_kind, to_text(id), State(bond_kind, bond_wanted(to.spec, record, to.profiles, by)),
                      bond_path(i), by.owner, by.of_link});
  bond.twins.push_back(by.twin);
  bond.waits = by.waits;
  bond.unset_by_owner = by.unset_by_owner;
  const auto path = [i](std::string_view field) { return bond_path(i, field); };
  if (record.ipv4) add_addresses(id, *record.ipv4, path, by, to.desired);
  if (record.ipv6) add_addresses(id, *record.ipv6, path, by, to.desired);
}

void expand_bonds(const Spec& spec, const Facts& facts, Backend backend, Desired& desired, Report& report) {
  const BackendRow& row = row_of(backend);
  if (row.bond_by == nullptr) return;  // check_backend() has refused it
  const auto profiles = profiles_of(spec);
  const Expansion to{spec, profiles, facts, desired, report};
  for (std::size_t i = 0; i < spec.bonds.size(); ++i) {
    const LiveBy by = row.bond_by(spec.bonds[i], i, to);
    if (i == 0) add_driver(spec, by, desired);
    add_bond(spec.bonds[i], i, by, to);
  }
}

}  // namespace

constinit const Section bonds_section{"bonds", check, expand_bonds, adopt_bonds};

}  // namespace rdmastate
