// SPDX-License-Identifier: Apache-2.0
// Tells whether ifup would fail because the interface has an address of the file already; gap, loss and mover ask.
#pragma once

#include <algorithm>
#include <vector>

#include "host/interfaces_text.hpp"
#include "host/links.hpp"

namespace rdmastate {

/// Whether the interface with these addresses has one that the stanzas add: ifup would fail on it ("File exists").
inline bool has_one_of(const InterfaceStanzas& stanzas, const std::vector<Address>& there) {
  return std::any_of(there.begin(), there.end(), [&](const Address& one) { return stanzas.names(one.value.address); });
}

}  // namespace rdmastate
