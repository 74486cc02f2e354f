// SPDX-License-Identifier: Apache-2.0
// Who lives on the traffic over what a step takes away.
#pragma once

#include "plan/plan.hpp"

namespace rdmastate {

/// One user of the network that a step interrupts. Both pointers belong to the Snapshot.
struct Interruption {
  const Connection* connection;
  const Link* way;  ///< the interface that its traffic goes over
};

/// Mounts, storage and sessions whose own address, or whose best route to the other end, is among what goes. Asks the
/// host for them when something goes at all.
std::vector<Interruption> interrupted_by(const Snapshot& snapshot, const Loss& loss);

/// The interface that a default route leaves by which goes, where no other one takes its place; nullptr: none does.
const Link* default_route_lost(const Snapshot& snapshot, const Loss& loss);

/// "mount /mnt/projects (nfs4 from server.example.com:/projects)"
std::string connection_text(const Connection& connection);

/// Fills in what the item's step takes away and how much that disturbs: nothing of an item without a step, or of what
/// goes with another one.
void weigh(const Scene& scene, Item& item);

/// A sentence: the loss takes away what carries /, /usr, /var or the run directory; empty: it does not.
std::string why_held(const Snapshot& snapshot, const Loss& loss);

/// Takes back a step that would interrupt what carries /, /usr, /var or the run directory, whatever the flags: pending.
void hold_still(const Scene& scene, Item& item);

}  // namespace rdmastate
