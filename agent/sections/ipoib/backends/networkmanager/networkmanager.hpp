// SPDX-License-Identifier: Apache-2.0
// NetworkManager's profiles as resources: of its own back end, and of the children of netplan's ports.
#pragma once

#include "base/template.hpp"
#include "platform/platform.hpp"
#include "sections/ipoib/backends/backend.hpp"

namespace rdmastate {

/// Complains of a port without a mode: NetworkManager sets the mode of whatever it activates.
void check_nm_mode(const Profile& profile, Report& report);

/// Adds profiles of NetworkManager, each with what is live of its interface.
class NmProfiles {
 public:
  explicit NmProfiles(const Expansion& to) : to_(to), platform_(platform_of(to.facts)) {}
  /// Adds the keyfile's resource and its twins to what is wanted.
  void add(const Profile& profile) const;

 private:
  const Expansion& to_;
  Platform platform_;
  Template text_{"ipoib.nmconnection", escape_line};
};

/// The records that NetworkManager's InfiniBand profiles mean, ours or not; or those of children alone.
void adopt_nm_profiles(const Adoption& from, Adopted& to, bool children_only);

}  // namespace rdmastate
