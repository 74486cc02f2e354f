// SPDX-License-Identifier: Apache-2.0
// Names of ports' interfaces by .link files (systemd.link(5)), for those who ask for them instead of a udev rule.
#pragma once

#include <optional>
#include <string>

#include "sections/section.hpp"

namespace rdmastate {

/// Whether this record's interface is named by a .link file.
bool is_named_by_link_file(const IpoibRecord& record);
std::string link_file_path(const IpoibRecord& record);

/// The .link file of one record, whose port has this GUID. systemd knows an interface by its PCI function and, since
/// 245, by its type; since 250 also by a hardware address of 20 bytes, all of them compared (net_match_config), of
/// which the driver and the subnet manager change the first 12. So where the function has a second IPoIB interface, it
/// is refused.
void add_link_file(const Spec& spec, std::size_t index, Guid guid, const Facts& facts, Desired& desired,
                   Report& report);

/// The port whose interface our .link file gives this name: nullopt where there is no such file, 0 where the port is
/// not known.
std::optional<Guid> port_of_link_file(const Snapshot& snapshot, const Facts& facts, const std::string& name);

}  // namespace rdmastate
