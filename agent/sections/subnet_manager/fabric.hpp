// SPDX-License-Identifier: Apache-2.0
// What other hosts of the fabric lose by a change of OpenSM's files, or when an OpenSM starts or stops here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/facts.hpp"
#include "resources/step.hpp"
#include "resources/wanted.hpp"

namespace rdmastate {

/// What other hosts lose by a step of one of OpenSM's files or units, as sentences; empty for any other step. `wanted`
/// is all that is wanted of this host.
std::vector<std::string> lost_to_fabric(const Facts& facts, const Step& step, std::span<const Wanted* const> wanted);

}  // namespace rdmastate
