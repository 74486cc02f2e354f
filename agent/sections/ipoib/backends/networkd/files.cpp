// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/backends/networkd/files.hpp"

#include <algorithm>
#include <array>

#include "base/template.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "sections/bonds/check.hpp"
#include "sections/ipoib/backends/networkd/text.hpp"

namespace rdmastate {
namespace {

// The fields of a bond that networkd gives it when it makes it, and before systemd 257 never changes. Ports it lets
// join and leave, but not those that somebody else let in or out.
constexpr std::array<std::string_view, 4> of_bond_netdev{"miimon", "arp_interval", "arp_targets", "mtu"};

void add_bond_file(std::size_t index, const Kind& kind, const std::string& path, std::string text, Desired& desired) {
  Wanted& one = desired.add({&kind, path, networkd_file_state(kind, path, std::move(text)), bond_path(index)});
  one.take_over = [ours = *one.state](const State&) {
    return TakenOver{
        ours,
        /*keeps_theirs=*/false,
        {"rdmastate takes over no file of a bond that somebody else made: remove it (networkctl reload), and apply again"}};
  };
}

// Each port's own file says that it is one, and whether it is the primary.
std::vector<Twin> bond_twins(const BondRecord& bond, const Expansion& to, const NetworkdBonds& how) {
  const std::string netdev = networkd_path(bond.name.value, ".netdev");
  std::vector<Twin> twins{{{how.kind.name, netdev}, TwinForm::whole_file, {"name"}}};
  twins.front().fields.insert(twins.front().fields.end(), of_bond_netdev.begin(), of_bond_netdev.end());
  for (const auto& port : to.profiles) {
    if (port.bond != bond.name.value) continue;
    Twin& one = twins.emplace_back(Twin{{how.kind.name, how.file_of_port(port)}});
    one.fields = {"ports"};
    if (port.is_primary) one.fields.emplace_back("primary");
  }
  return twins;
}

}  // namespace

State networkd_file_state(const Kind& kind, const std::string& path, std::string text) {
  NetworkdFileState file = wanted_networkd_file(path, std::move(text));
  if (&kind == &networkd_file_kind) return {kind, std::move(file)};
  return {kind, static_cast<FileState&&>(file)};
}

LiveBy bond_by_networkd(const BondRecord& bond, std::size_t index, const Expansion& to, const NetworkdBonds& how) {
  const std::string network = networkd_path(bond.name.value, ".network");
  add_bond_file(index, how.kind, networkd_path(bond.name.value, ".netdev"),
                bond_netdev_text(Template("bond.netdev", escape_line), bond, bond_mtu(to.spec, bond)), to.desired);
  add_bond_file(index, how.kind, network, bond_network_text(Template("ipoib.network", escape_line), bond), to.desired);
  LiveBy by{how.owner, {{how.kind.name, network}, TwinForm::whole_file}, bond_twins(bond, to, how), how.waits};
  by.unset_by_owner = {of_bond_netdev.begin(), of_bond_netdev.end()};
  by.unset_by_owner.insert(by.unset_by_owner.end(), {"ports", "primary"});
  return by;
}

// It gives such a bond no address of IPv6, and the kernel's IPv6 stays on.
void check_networkd_bond(const BondRecord& bond, std::size_t index, Report& report) {
  if (bond.ipv6 && bond.ipv6->method == Ipv6Method::disabled)
    complain(report, bond_path(index, "ipv6.method"), "systemd-networkd turns IPv6 off on no bond",
             "leave ipv6 out, or use network: {backend: none} or {backend: networkmanager}");
}

}  // namespace rdmastate
