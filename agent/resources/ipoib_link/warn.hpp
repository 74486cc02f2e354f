// SPDX-License-Identifier: Apache-2.0
// Warnings about an IPoIB interface that is legal and will still not work.
#pragma once

#include "resources/ipoib_link/ipoib_link.hpp"

namespace rdmastate {

/// What of a wanted interface is legal and will still not work: a P_Key that the port's table lacks, what openibd
/// undoes. Empty: nothing.
std::string ipoib_link_warning(const Scene& scene, const std::string& key, const State& wanted);

}  // namespace rdmastate
