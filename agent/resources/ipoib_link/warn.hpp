// SPDX-License-Identifier: Apache-2.0
// Warnings about an IPoIB interface that is legal and will still not work.
#pragma once

#include "resources/ipoib_link/ipoib_link.hpp"

namespace rdmastate {

/// A sentence: the P_Key of this child is not in its port's partition table, so that the interface, which the sentence
/// calls `name`, has no carrier. Empty: it is there, or the table is not known.
std::string why_no_carrier(const Facts& facts, const LinkId& id, const std::string& name);

/// What of a wanted interface is legal and will still not work: a P_Key that the port's table lacks, what openibd
/// undoes. Empty: nothing.
std::string ipoib_link_warning(const Scene& scene, const std::string& key, const State& wanted);

}  // namespace rdmastate
