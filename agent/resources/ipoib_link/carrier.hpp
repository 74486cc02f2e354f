// SPDX-License-Identifier: Apache-2.0
// Why an IPoIB interface has no carrier, for what cannot be done without one.
#pragma once

#include <optional>
#include <string>

#include "resources/gap.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

/// A sentence: the P_Key of this child is not in its port's partition table, so that the interface, which the sentence
/// calls `name`, has no carrier. Empty: it is there, or the table is not known.
std::string why_no_carrier(const Facts& facts, const LinkId& id, const std::string& name);

/// A sentence: why the interface that has this name, or gets it by the plan, has no carrier, or has none when it is up.
/// `parent` is the name of a child's parent, and empty of a port's own interface; `pkey` is a child's. Empty: nothing
/// says so.
std::string why_without_carrier(const Scene& scene, const std::string& name, const std::string& parent,
                                std::optional<PKey> pkey);

}  // namespace rdmastate
