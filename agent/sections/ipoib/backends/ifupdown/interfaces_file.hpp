// SPDX-License-Identifier: Apache-2.0
// Prints ifupdown's file of a spec's interfaces (interfaces(5)), and reads it back for `show --as-spec`.
#pragma once

#include <span>
#include <string>

#include "sections/adopt.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// The file's text, by templates/ipoib.interfaces: ports before their children, none that is absent.
std::string interfaces_text(std::span<const Profile> profiles);
/// Adds the records that rdmastate's own file means. Foreign files are not read.
void adopt_interfaces_file(const Adoption& from, Adopted& to);

}  // namespace rdmastate
