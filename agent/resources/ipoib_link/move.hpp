// SPDX-License-Identifier: Apache-2.0
// Creates, changes and removes IPoIB interfaces.
#pragma once

#include "resources/ipoib_link/ipoib_link.hpp"

namespace rdmastate {

/// Kind::move of the kind `ipoib_link`. Throws what the kernel answers; an MTU that is too large for datagram mode is
/// named as such.
void ipoib_link_move(Tools& tools, const std::string& key, const State* from, const State* to);

/// The state of an interface that is there and whose key is `id`.
IpoibLink ipoib_link_state(const Link& link, const LinkId& id);

}  // namespace rdmastate
