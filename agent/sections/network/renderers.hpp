// SPDX-License-Identifier: Apache-2.0
// The files of networkd and NetworkManager as texts: for those back ends, and for the children of netplan's ports.
#pragma once

#include "base/template.hpp"
#include "platform/platform.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// A .network file (systemd.network(5)) by templates/ipoib.network; a port's names its children.
std::string network_file(const Template& text, const Spec& spec, const IpoibRecord& record);
/// A child's .netdev file (systemd.netdev(5)) by templates/ipoib.netdev.
std::string netdev_file(const Template& text, const IpoibRecord& record);
/// The names of a port's children, for a list of "IPoIB=".
std::vector<Values> children_of(const Spec& spec, const IpoibRecord& parent);

/// A keyfile (nm-settings-keyfile(5)) by templates/ipoib.nmconnection, and where it lies.
std::string nm_profile_text(const Template& text, const IpoibRecord& record, const Platform& platform);
std::string nm_profile_path(const IpoibRecord& record);
/// Complains of a port without a mode: NetworkManager sets the mode of whatever it activates.
void check_nm_mode(const Spec& spec, std::size_t i, Report& report);

}  // namespace rdmastate
