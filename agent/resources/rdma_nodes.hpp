// SPDX-License-Identifier: Apache-2.0
// The device nodes of /dev/infiniband that a process holds open, as /proc/PID/fd shows them: of OpenSM, which is a
// subnet manager as long as it holds a port's umad and issm nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/snapshot.hpp"

namespace rdmastate {

struct HostModel;

/// "issm0" and "umad0": the nodes that the process holds open, sorted, each once; those that are gone are left out.
/// nullopt: there is no such process, or this user may not see what it holds.
std::optional<std::vector<std::string>> rdma_nodes_of(const Snapshot& snapshot, std::uint32_t pid);

/// Keeps in a record what rdma_nodes_of() tells of the process, and no other of its files.
void keep_rdma_nodes(const Snapshot& snapshot, std::uint32_t pid, HostModel& model);

}  // namespace rdmastate
