// SPDX-License-Identifier: Apache-2.0
// The gap of an IPoIB interface (kind `ipoib_link`).
#pragma once

#include "resources/ipoib_link/ipoib_link.hpp"

namespace rdmastate {

/// How an IPoIB interface differs from what is wanted, and what of that can be moved now. Pure.
Gap ipoib_link_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);

}  // namespace rdmastate
