// SPDX-License-Identifier: Apache-2.0
// The threads of the NFS server: what a spec wants of them, and which number rdmastate's files say.
#pragma once

#include <optional>

#include "platform/nfs.hpp"
#include "resources/wanted.hpp"
#include "sections/adopt.hpp"
#include "sections/nfs/spec.hpp"

namespace rdmastate {

/// Wants the running server to have the number of threads that the spec gives; adds nothing where it gives none. The
/// twin is `file`, the server's configuration, which add_conf() in nfs.cpp wants. Where its form is
/// NfsServerForm::entry, the twin is an entry in that file for the number alone, which is added here. With `run: true`
/// the server's unit is a twin too.
void add_threads(const NfsServer& server, const NfsServerConf& conf, const Ref& file, Desired& desired);

/// The number of threads in the configuration that rdmastate wrote for the server; nullopt where it gives none. Where
/// the form is NfsServerForm::entry, the entry counts whoever wrote it.
std::optional<NfsThreads> adopted_threads(const Adoption& from, const NfsServerConf& conf);

}  // namespace rdmastate
