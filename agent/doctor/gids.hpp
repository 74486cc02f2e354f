// SPDX-License-Identifier: Apache-2.0
// Reads the GID table of a port from sysfs, for the checks of RoCE, for --env and for ports that --active tries.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"

namespace rdmastate::doctor {

/// One entry of a GID table that is in use.
struct Gid {
  unsigned index = 0;
  IpAddress address{};           ///< an IPv4 address where the GID is a mapped one (::ffff:192.0.2.1)
  RoceMode type = RoceMode::v1;  ///< v1 also of InfiniBand, and where sysfs shows no type
};

/// The entries of the port's GID table that are in use, by index. Where the kernel shows no entry at all, this is noted
/// as unseen, and the result is empty.
std::vector<Gid> gids_of(Examination& look, const RdmaDevice& device, const RdmaPort& port);
/// The index of the first RoCE v2 GID of an IPv4 address, which NCCL_IB_GID_INDEX usually has to be; nullopt: none.
std::optional<unsigned> usual_index(const std::vector<Gid>& gids);
/// The files that gids_of() and Examination::speaks_iwarp() read.
FilePlaces gid_places();

}  // namespace rdmastate::doctor
