// SPDX-License-Identifier: Apache-2.0
// SHA-256 as hexadecimal text: for the digests by which the ledger and records tell whether something changed.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// SHA-256 of the bytes, as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace rdmastate
