// SPDX-License-Identifier: Apache-2.0
// NetworkManager's profiles as resources: for back end networkmanager, and for netplan's children.
#pragma once

#include "base/template.hpp"
#include "platform/platform.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {

/// Adds an error for a port without a mode: NetworkManager sets the mode of every interface that it activates.
void check_nm_mode(const Profile& profile, Report& report);

/// Adds NetworkManager's profiles to what is wanted, each with the live state of its interface.
class NmProfiles {
 public:
  explicit NmProfiles(const Expansion& to) : to_(to), platform_(platform_of(to.facts)) {}
  /// Adds the keyfile, and the link, addresses and routes whose twin it is. For an absent child only that its link
  /// shall not be there.
  void add(const Profile& profile) const;

 private:
  const Expansion& to_;
  Platform platform_;
  Template text_{"ipoib.nmconnection", escape_line};
};

/// Adds the records that NetworkManager's InfiniBand profiles mean, whoever wrote them, but not those of the applied
/// spec; `children_only`: those of children alone. `to.left_out` gets second profiles of an interface, profiles that
/// name no interface, names that two profiles share, what foreign profiles say beyond a spec, and interfaces that are
/// up without a profile.
void adopt_nm_profiles(const Adoption& from, Adopted& to, bool children_only);

}  // namespace rdmastate
