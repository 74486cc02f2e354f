// SPDX-License-Identifier: Apache-2.0
// A NetworkManager keyfile (nm-settings-keyfile(5)) as a profile's text, and back.
#pragma once

#include "base/template.hpp"
#include "platform/platform.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "sections/adopt.hpp"
#include "sections/ini_file.hpp"
#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// A profile of rdmastate, by templates/ipoib.nmconnection.
NmProfileState nm_profile_of(const Template& text, const Profile& profile, const Platform& platform);
/// What such a file says of itself in [user], taken of its text where that is empty.
std::string nm_digest_of(std::string_view text);
/// A foreign keyfile with what the spec says of the interface laid over it: lines that it has no word for
/// stay byte for byte.
TakenOver keyfile_over(const IpoibRecord& asked, const State& theirs);
/// Adds the record that an InfiniBand keyfile means, whoever wrote it.
void adopt_keyfile(const Adoption& from, const Ini& file, Adopted& to);

}  // namespace rdmastate
