// SPDX-License-Identifier: Apache-2.0
// networkd's files as a profile's texts, and back: for its own back end, and for the children of netplan's ports.
#pragma once

#include "base/template.hpp"
#include "sections/adopt.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// A .network file (systemd.network(5)) by templates/ipoib.network; a port's names its children.
std::string network_text(const Template& text, const Profile& profile);
/// A child's .netdev file (systemd.netdev(5)) by templates/ipoib.netdev.
std::string netdev_text(const Template& text, const Profile& profile);
/// The names of a port's children, for a template's list of "IPoIB=".
std::vector<Values> child_values(const Profile& profile);

/// Adds the record that one interface's files mean, whoever wrote them; `netdev` and `parent` of a child alone.
void adopt_network_file(const Adoption& from, const Ini& network, const std::string& name, const Ini* netdev,
                        const std::string& parent, Adopted& to);

/// A file's text with the comment that names a child's port (networkd_parent_key) in that section; a port's as it is.
std::string with_parent_said(const IpoibRecord& record, std::string_view section, std::string text);
/// A foreign .network file of an interface with what the spec says of the interface laid over it: lines that it
/// has no word for stay byte for byte. `children` are those that a port's makes.
TakenOver network_file_over(const IpoibRecord& asked, const std::vector<std::string>& children, const std::string& path,
                            const State& theirs);
/// A foreign .netdev file of a child, in the same way.
TakenOver netdev_file_over(const IpoibRecord& asked, const std::string& path, const State& theirs);

}  // namespace rdmastate
