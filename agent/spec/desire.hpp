// SPDX-License-Identifier: Apache-2.0
// What a spec asks of a host, less what that host can never have.
#pragma once

#include <vector>

#include "resources/wanted.hpp"
#include "spec/load.hpp"

namespace rdmastate {

/// All that the spec means, so that a plan tells it all; but nothing that asks for what is impossible is written for
/// the next boot. Files are rendered as if those records and fields had not been written, boot.json lacks them, and
/// a file that would hold nothing else is kept as it is. Pure; where `report` has errors afterwards the result is not
/// to be used. `adopting`: as Desired::adopting.
Desired desire(const LoadedSpec& loaded, const Facts& facts, const std::vector<Impossible>& impossible, Report& report,
               bool adopting = false);

}  // namespace rdmastate
