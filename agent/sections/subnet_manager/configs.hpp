// SPDX-License-Identifier: Apache-2.0
// Which opensm.conf.N belongs to which instance, where there are foreign ones too. On RHEL and SUSE the launcher starts
// an OpenSM for each of these files, unless its settings list ports.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/facts.hpp"
#include "platform/opensm.hpp"
#include "sections/subnet_manager/spec.hpp"

namespace rdmastate {

// In all of these `files` are OpenSM's files as they are on the host (Facts::opensm).

/// Whether each instance gets its own opensm.conf.N so that foreign settings stay in force: --adopt takes foreign files
/// over now (`adopting`), or an earlier run took them over. The latter shows in the settings: that run has emptied the
/// list of ports there. A file that was taken over carries no mark, so it still counts as foreign here.
bool keeps_configs(const SubnetManagerSection& section, std::span<const OpensmFile> files, const OpensmLayout& layout,
                   bool adopting);

/// The path of each instance's configuration: the foreign one for its port, else the next number that no foreign one
/// has.
std::vector<std::string> config_paths(const SubnetManagerSection& section, std::span<const OpensmFile> files,
                                      const OpensmLayout& layout);

/// The path of the configuration that OpenSM reads by default, where it is foreign and has settings in force for this
/// port, or would have on Debian if the port were listed; else empty.
std::string standard_config_of(Guid port, std::span<const OpensmFile> files, const OpensmLayout& layout);

}  // namespace rdmastate
