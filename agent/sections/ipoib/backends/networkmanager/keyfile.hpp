// SPDX-License-Identifier: Apache-2.0
// From a Profile (an interface of the spec with all its defaults) to the text of a NetworkManager keyfile
// (nm-settings-keyfile(5)), and back.
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
/// The profile of a bond. `mtu`: the bond's, as bond_mtu() says.
NmProfileState nm_bond_profile_of(const Template& text, const BondRecord& bond, std::uint32_t mtu,
                                  const Platform& platform);
/// The digest that a profile of rdmastate has in [user]; `text` is the file while that value is still empty.
std::string nm_digest_of(std::string_view text);
/// For --adopt: a foreign keyfile, changed so that it says what the spec says of the interface: lines that the spec has
/// no field for stay byte for byte, and a line that contradicts the spec is a conflict (TakenOver::against).
/// `bond`: the bond that the interface is a port of; empty: none.
/// Defined in keyfile_over.cpp.
TakenOver keyfile_over(const IpoibRecord& asked, const std::string& bond, const State& theirs);
/// Reports what `profile_settings` may not say: what the rendered profile says already, or another field of the record
/// can; what tells an interface of InfiniBand apart; secrets; a value that a keyfile's line cannot hold.
/// Defined in keyfile_settings.cpp.
void check_profile_settings(const IpoibRecord& record, std::size_t index, Report& report);
/// For `show --as-spec`: adds the record that an InfiniBand keyfile means, whoever wrote it.
void adopt_keyfile(const Adoption& from, const Ini& file, Adopted& to);

}  // namespace rdmastate
