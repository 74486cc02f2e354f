// SPDX-License-Identifier: Apache-2.0
// Which step of a plan brings the device or port of a virtual function.
#pragma once

#include <string>

#include "resources/kind.hpp"

namespace rdmastate {

/// For a device or port that the host does not know: the step of this plan that gives its GUID to a virtual function,
/// "virtual_functions node_guid ..."; empty: there is none.
std::string bringer_of_guid(const Scene& scene, Guid guid);

}  // namespace rdmastate
