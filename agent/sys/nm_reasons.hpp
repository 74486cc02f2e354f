// SPDX-License-Identifier: Apache-2.0
// Says in words why NetworkManager gave an activation up.
#pragma once

#include <cstdint>
#include <string>

namespace rdmastate {

/// What a number of NetworkManager's NM_DEVICE_STATE_REASON_* means, as the end of a sentence; of a number that is not
/// known here, the number itself.
std::string nm_reason(std::uint32_t reason);

}  // namespace rdmastate
