// SPDX-License-Identifier: Apache-2.0
// The exports of the NFS server: expands them into the file of exports and the live exports, and adopts them from that
// file.
#pragma once

#include "host/facts.hpp"
#include "resources/wanted.hpp"
#include "sections/adopt.hpp"
#include "sections/nfs/spec.hpp"

namespace rdmastate {

/// What stands between the parentheses of a client: the options as the spec has them, and no_subtree_check where it has
/// neither that nor its contrary, since exportfs(8) warns of each line without one.
std::string written_options(const ExportClient& client);

/// Wants the file of exports, and each export in the running server. Adds as claimants the foreign files that export
/// one of the directories to the same host. Adds nothing where the spec has no exports.
void add_exports(const NfsServer& server, const Facts& facts, Desired& desired);

/// Adopts the exports of rdmastate's own file.
void adopt_exports(const Adoption& from, Adopted& to);

}  // namespace rdmastate
