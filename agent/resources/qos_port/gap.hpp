// SPDX-License-Identifier: Apache-2.0
// The difference of a port's flow control and priorities (kind `qos_port`), and why a driver cannot have them.
#pragma once

#include "resources/qos_port/qos_port.hpp"

namespace rdmastate {

/// Adds a reason to `gap.blocked`; `never` are the fields of a QosPortState that cannot be had for good because of it.
void block(Gap& gap, std::string sentence, const std::vector<std::string_view>& never);

/// How a port's priorities differ from what is wanted, and what of that can be moved now. Pure.
Gap qos_port_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);

}  // namespace rdmastate
