// SPDX-License-Identifier: Apache-2.0
// Whether a spec has a section, a field or a value, such as "nfs.server": `rdmastate packages` asks it, to know which
// packages the spec needs.
#pragma once

#include <string_view>

#include "sections/spec.hpp"

namespace rdmastate {

/// Whether the spec has this part: a section ("ipoib"), a field of one or of any of its records ("nfs.server"), or a
/// field's value ("soft_devices.type=rxe"). Walks the field tables; false for a part that this version does not know.
bool names_part(const Spec& spec, std::string_view part);

}  // namespace rdmastate
