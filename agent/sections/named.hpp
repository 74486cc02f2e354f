// SPDX-License-Identifier: Apache-2.0
// Whether a spec names a part of itself.
#pragma once

#include <string_view>

#include "sections/spec.hpp"

namespace rdmastate {

/// Whether the spec names this part of itself: a section ("ipoib"), a field of one or of any of its records
/// ("nfs.server"), or a field's value ("soft_devices.type=rxe"). Walks the field tables: a part that this version does
/// not have is named by no spec.
bool names_part(const Spec& spec, std::string_view part);

}  // namespace rdmastate
