// SPDX-License-Identifier: Apache-2.0
// Asks every section which resources a spec wants of one host.
#pragma once

#include <vector>

#include "resources/wanted.hpp"
#include "spec/load.hpp"

namespace rdmastate {

/// Every resource that the spec wants, also the `impossible` ones, so that the plan shows them; an earlier plan has
/// found these. The files of the next boot and boot.json do not ask for what is impossible: they are rendered from the
/// spec without those records and fields. A file that only such records and fields ask for stays as it is on the disk.
/// `adopting`: --adopt was given (Desired::adopting). Pure; do not use the result where `report` has errors afterwards.
Desired desire(const LoadedSpec& loaded, const Facts& facts, const std::vector<Impossible>& impossible, Report& report,
               bool adopting = false);

}  // namespace rdmastate
