// SPDX-License-Identifier: Apache-2.0
#include "resources/networkd_file/bond.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/layout.hpp"
#include "resources/bond/bond.hpp"
#include "resources/link_table.hpp"
#include "resources/networkd_file/networkd_file.hpp"

namespace rdmastate {
namespace {

LinkId id_by_name(const std::string& name) {
  LinkId id;
  id.name = name;
  return id;
}

// Adds the ports that are in the bond.
void add_present(Tools& tools, const Link& bond, BondLink& to) {
  for (const Link& port : tools.links.ports_of(bond.index)) {
    to.ports.push_back(id_by_name(port.name));
    if (port.index == bond.bond->primary) to.primary = to.ports.back();
  }
}

// The .network file that this entry of networkd's directory is, or rdmastate's drop-in that it holds; empty: neither.
std::string path_of(const std::string& entry) {
  constexpr std::string_view of_drop_ins = ".network.d";
  if (entry.ends_with(of_drop_ins)) return networkd_drop_in_path(entry.substr(0, entry.size() - 2));
  return entry.ends_with(".network") ? fmt::format("{}/{}", common_layout().networkd_files, entry) : std::string();
}

// Adds the interface of the file at `path` that makes it a port of the bond.
void add_by_file(Tools& tools, const std::string& path, const NetworkdText& text, BondLink& to) {
  const LinkId port = id_by_name(text.interface);
  const Link* link = text.bond == to.name.value ? tools.links.find(port) : nullptr;
  if (link == nullptr || !link->is_ipoib()) return;
  if (!has_taken(tools.host.files.read(networkd_link_path(link->index)), path)) return;  // another stands before it
  if (std::find(to.ports.begin(), to.ports.end(), port) == to.ports.end()) to.ports.push_back(port);
  if (text.is_primary) to.primary = port;
}

}  // namespace

void complete_bond(Tools& tools, const std::string& bond) {
  tools.links.forget();
  const Link* link = tools.links.find(bond_id(bond));
  if (link == nullptr || !link->bond) return;
  BondLink present;
  present.name = IfName{bond};
  add_present(tools, *link, present);
  BondLink to = present;
  for (const auto& entry : tools.host.files.list(std::string(common_layout().networkd_files))) {
    const std::string path = path_of(entry);
    const auto bytes = path.empty() ? std::nullopt : tools.host.files.read(path);
    if (bytes) add_by_file(tools, path, read_networkd_text(regular_file(*bytes)), to);
  }
  if (to == present) return;
  const State state(bond_kind, std::move(to));
  bond_kind.move(tools, to_text(bond_id(bond)), nullptr, &state);
}

}  // namespace rdmastate
