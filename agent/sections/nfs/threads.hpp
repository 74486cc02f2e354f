// SPDX-License-Identifier: Apache-2.0
// The threads of the NFS server: what a spec wants of them, and which number rdmastate's files say.
#pragma once

#include <optional>

#include "platform/nfs.hpp"
#include "resources/wanted.hpp"
#include "sections/adopt.hpp"
#include "sections/nfs/spec.hpp"

namespace rdmastate {

/// Wants this number of threads of the running server. Its twin is the server's configuration: `file`, which add_conf()
/// in nfs.cpp wants; of NfsServerForm::entry an entry of its own in the same file, which is added here. With `run:
/// true` the server's unit is a twin too. Adds nothing where the spec has no number.
void add_threads(const NfsServer& server, const NfsServerConf& conf, const Ref& file, Desired& desired);

/// The number of threads in the configuration of the server that rdmastate wrote; nullopt where it gives none. Of
/// NfsServerForm::entry, the entry counts whoever wrote it.
std::optional<NfsThreads> adopted_threads(const Adoption& from, const NfsServerConf& conf);

}  // namespace rdmastate
