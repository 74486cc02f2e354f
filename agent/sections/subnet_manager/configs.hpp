// SPDX-License-Identifier: Apache-2.0
// Which opensm.conf.N is whose, where others have theirs beside ours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/facts.hpp"
#include "platform/opensm.hpp"
#include "sections/subnet_manager/spec.hpp"

namespace rdmastate {

/// Whether instances get configurations of their own so that what others configured stays in force: they are taken over
/// now (`adopting`), or were before, which the emptied list of ports tells.
bool keeps_configs(const SubnetManagerSection& section, std::span<const OpensmFile> files, const OpensmLayout& layout,
                   bool adopting);

/// The configuration of each instance: the foreign one for its port, else the next number that no foreign one has.
std::vector<std::string> config_paths(const SubnetManagerSection& section, std::span<const OpensmFile> files,
                                      const OpensmLayout& layout);

/// The configuration that OpenSM reads by itself, where others set up this port with it; else empty.
std::string standard_config_of(Guid port, std::span<const OpensmFile> files, const OpensmLayout& layout);

}  // namespace rdmastate
