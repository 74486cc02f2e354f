// SPDX-License-Identifier: Apache-2.0
// The ipoib part of `show --as-spec`. adopt_ipoib() lets the back end make the records, then notes which interfaces are
// named by a .link file. What back ends use for that: ports_named_by_rules() and match_for(), and adopt_links()
// (adopt_links.cpp).
#include "sections/ipoib/adopt.hpp"

#include "platform/layout.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "sections/ipoib/backends/link_file.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {

// Reads our udev rules, as templates/ipoib.rules writes them: ... ATTR{address}=="?*f4:52:14:03:00:7b:cb:a1",
// NAME="mlx4_ib0"
std::vector<NamedPort> ports_named_by_rules(const Snapshot& snapshot) {
  constexpr std::string_view address = "ATTR{address}==\"?*";
  constexpr std::string_view naming = "\", NAME=\"";
  std::vector<NamedPort> ports;
  for (const auto& [number, line] :
       numbered_lines(snapshot.read(std::string(common_layout().udev_rules)).value_or(""))) {
    const std::size_t at = line.find(address);
    const std::size_t name = line.find(naming);
    NamedPort port;
    if (at == std::string::npos || name == std::string::npos || name < at + address.size()) continue;
    const std::string bytes = line.substr(at + address.size(), name - at - address.size());
    if (Text<Guid>::read({bytes, /*plain=*/false}, port.guid)) continue;
    port.name = line.substr(name + naming.size(), line.find('"', name + naming.size()) - name - naming.size());
    ports.push_back(std::move(port));
  }
  return ports;
}

std::optional<PortMatch> match_for(const Adoption& from, const std::string& name) {
  const Snapshot& snapshot = from.snapshot;
  PortMatch match;
  if (const auto guid = port_of_link_file(snapshot, from.facts, name); guid && guid->value != 0) {
    match.port_guid = *guid;
    return match;
  }
  for (const auto& port : ports_named_by_rules(snapshot)) {
    if (port.name != name) continue;
    match.port_guid = port.guid;
    return match;
  }
  const Link* link = snapshot.is_tree() ? nullptr : snapshot.link(name);
  const bool has_our_rules = snapshot.exists(std::string(common_layout().udev_rules));
  const bool is_kernels_name = name.starts_with("ib") && name.find_first_not_of("0123456789", 2) == std::string::npos;
  if (has_our_rules || is_kernels_name || link == nullptr || link->port_guid().value == 0) return std::nullopt;
  match.port_guid = link->port_guid();
  return match;
}

void adopt_ipoib(const Adoption& from, Adopted& to) {
  const std::size_t applied = to.spec.ipoib.size();
  row_of(from.backend).adopt(from, to);
  for (std::size_t i = applied; i < to.spec.ipoib.size(); ++i) {
    IpoibRecord& record = to.spec.ipoib[i];
    if (record.is_child() || !record.match || !port_of_link_file(from.snapshot, from.facts, record.interface_name()))
      continue;
    record.named_by = NamedBy::link_file;
    to.came_from(ipoib_path(i, "named_by"), link_file_path(record));
  }
}

}  // namespace rdmastate
