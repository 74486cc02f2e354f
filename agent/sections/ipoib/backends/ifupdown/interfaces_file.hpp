// SPDX-License-Identifier: Apache-2.0
// ifupdown's file of a spec's interfaces (interfaces(5)), and back.
#pragma once

#include <span>
#include <string>

#include "sections/adopt.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// By templates/ipoib.interfaces, parents before their children.
std::string interfaces_text(std::span<const Profile> profiles);
/// Adds the records that our own file means; others' stay with who wrote them.
void adopt_interfaces_file(const Adoption& from, Adopted& to);

}  // namespace rdmastate
