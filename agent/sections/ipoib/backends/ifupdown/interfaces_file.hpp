// SPDX-License-Identifier: Apache-2.0
// Prints ifupdown's file of an interface (interfaces(5)), and reads such files back for `show --as-spec`.
#pragma once

#include <set>
#include <string>

#include "sections/adopt.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// The text of an interface's file, by templates/ipoib.interfaces.
std::string interfaces_text(const Profile& profile);
/// Adds the records that the files at `paths` mean. All are read: the caller gives those of rdmastate alone, since this
/// understands only what interfaces_text() prints.
void adopt_interfaces_files(const Adoption& from, const std::set<std::string>& paths, Adopted& to);

}  // namespace rdmastate
