// SPDX-License-Identifier: Apache-2.0
// NetworkManager's reason numbers in words.
#pragma once

#include <cstdint>
#include <string>

namespace rdmastate {

/// What NetworkManager's NM_DEVICE_STATE_REASON_* means, as the end of a sentence.
std::string nm_reason(std::uint32_t reason);

}  // namespace rdmastate
