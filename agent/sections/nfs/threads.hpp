// SPDX-License-Identifier: Apache-2.0
// The threads of the NFS server: what a spec wants of them, and which number rdmastate's files say.
#pragma once

#include <optional>

#include "platform/nfs.hpp"
#include "resources/wanted.hpp"
#include "sections/adopt.hpp"
#include "sections/nfs/spec.hpp"

namespace rdmastate {

/// Adds the threads of the server that runs, with their twin: `file`, which add_conf() wrote, or where the form is an
/// entry a further one in the same file. Adds nothing where the spec has no number.
void add_threads(const NfsServer& server, const NfsServerConf& conf, const Ref& file, Desired& desired);

/// The number in the server's configuration, where rdmastate wrote that; nullopt: none.
std::optional<NfsThreads> adopted_threads(const Adoption& from, const NfsServerConf& conf);

}  // namespace rdmastate
