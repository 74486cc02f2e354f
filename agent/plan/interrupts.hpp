// SPDX-License-Identifier: Apache-2.0
// What a step cuts off: which interfaces it takes down, and who lives on the traffic over them.
#pragma once

#include "plan/plan.hpp"

namespace rdmastate {

/// The interface that a disruptive step takes down, its children with it; empty for a step that takes none down.
std::vector<const Link*> bounced_by(const Snapshot& snapshot, const Item& item);

struct Interruption {
  const Connection* connection;
  const Link* way;  ///< the interface that its traffic goes over
};

/// Mounts, storage and sessions whose own address, or whose best route to the other end, is on what the step takes down
/// or away. Of a soft device that goes only what uses RDMA over its network device. Asks the host for them when the
/// step interrupts something at all.
std::vector<Interruption> interrupted_by(const Snapshot& snapshot, const Item& item);

/// The interface of what the step takes down or away; nullptr when there is none.
const Link* lost_link(const Snapshot& snapshot, const Item& item);

/// "mount /mnt/projects (nfs4 from server.example.com:/projects)"
std::string connection_text(const Connection& connection);

/// Takes back a step that would interrupt what carries /, /usr, /var or the run directory, whatever the flags: pending.
void hold_still(const Snapshot& snapshot, Item& item);

}  // namespace rdmastate
