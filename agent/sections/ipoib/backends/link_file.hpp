// SPDX-License-Identifier: Apache-2.0
// Names of ports' interfaces by .link files (systemd.link(5)), for records with `named_by: link-file`.
#pragma once

#include <optional>
#include <string>

#include "sections/section.hpp"

namespace rdmastate {

/// Whether this record's interface is named by a .link file.
bool is_named_by_link_file(const IpoibRecord& record);
/// Where that file is.
std::string link_file_path(const IpoibRecord& record);

/// Adds the .link file of the record spec.ipoib[index], whose port has this GUID. Adds an error to `report` where the
/// port or its PCI function is not known, or where the function has a second IPoIB interface: systemd cannot tell the
/// two apart. It matches by PCI function, since 245 by type, and since 250 by a hardware address, all 20 bytes of it
/// (net_match_config), of which the driver and the subnet manager change the first 12.
void add_link_file(const Spec& spec, std::size_t index, Guid guid, const Facts& facts, Desired& desired,
                   Report& report);

/// The GUID of the port whose interface gets this name from the .link file at our path for it: nullopt where there is
/// no such file, 0 where no such port is known.
std::optional<Guid> port_of_link_file(const Snapshot& snapshot, const Facts& facts, const std::string& name);

}  // namespace rdmastate
