// SPDX-License-Identifier: Apache-2.0
// netplan's file of a spec's ports.
#pragma once

#include <string>

#include "sections/spec.hpp"

namespace rdmastate {

/// The ports of a spec as netplan(5) has them: for networkd, or for NetworkManager, whose methods netplan cannot all
/// say (no IPv4 becomes 169.254.0.0/16 there, IPv6 link-local what the kernel does by itself): they pass through it.
std::string netplan_file(const Spec& spec, bool by_networkd);

}  // namespace rdmastate
