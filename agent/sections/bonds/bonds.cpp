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

LinkId id_of(const std::vector<Profile>& profiles, const IfName& name) {
  for (const auto& profile : profiles)
    if (profile.name == name.value) return profile.id;
  LinkId id;
  id.name = name.value;
  return id;
}

BondLink bond_wanted(const Spec& spec, const BondRecord& record, const std::vector<Profile>& profiles) {
  BondLink bond;
  bond.settings() = record.settings();
  bond.name = record.name;
  if (!bond.arp_interval) bond.arp_interval = 0;
  if (!bond.miimon) bond.miimon = *bond.arp_interval == 0 ? usual_miimon : 0;
  if (!bond.arp_targets) bond.arp_targets.emplace();
  for (const IfName& port : record.ports) bond.ports.push_back(id_of(profiles, port));
  if (record.primary) bond.primary = id_of(profiles, *record.primary);
  bond.mtu = bond_mtu(spec, record);
  if (record.ipv6) bond.ipv6 = kernel_conf(record.ipv6->method);
  bond.up = true;
  return bond;
}

void add_driver(const Spec& spec, Desired& desired) {
  const std::string driver(bond_module);
  if (loads(spec, driver)) return;
  desired.add({&module_kind,
               driver,
               State(module_kind, ModuleState{{driver}}),
               bond_path(0),
               /*awaited_from=*/"",
               {boot_twin()}});
}

void expand_bonds(const Spec& spec, const Facts&, Backend backend, Desired& desired, Report&) {
  if (spec.bonds.empty() || row_of(backend).check_bond == nullptr) return;  // check_backend() has refused it
  add_driver(spec, desired);
  const auto profiles = profiles_of(spec);
  for (std::size_t i = 0; i < spec.bonds.size(); ++i) {
    const BondRecord& record = spec.bonds[i];
    const LinkId id = bond_id(record.name.value);
    desired.add({&bond_kind,
                 to_text(id),
                 State(bond_kind, bond_wanted(spec, record, profiles)),
                 bond_path(i),
                 /*awaited_from=*/"",
                 {boot_twin()}});
    const LiveBy by{"", boot_twin()};
    const auto path = [i](std::string_view field) { return bond_path(i, field); };
    if (record.ipv4) add_addresses(id, *record.ipv4, path, by, desired);
    if (record.ipv6) add_addresses(id, *record.ipv6, path, by, desired);
  }
}

}  // namespace

constinit const Section bonds_section{"bonds", check, expand_bonds, adopt_bonds};

}  // namespace rdmastate
