// SPDX-License-Identifier: Apache-2.0
// Which mounts, storage connections and sessions use an interface, address or route that a step takes away.
#pragma once

#include "plan/plan.hpp"

namespace rdmastate {

/// One user of the network that a step interrupts. Both pointers belong to the Snapshot.
struct Interruption {
  const Connection* connection;
  const Link* link;  ///< the interface that its traffic goes over
};

/// Mounts, storage connections and sessions whose local address, or whose best route to the peer, is in `loss`. Asks
/// the host for nothing where `loss` is empty.
std::vector<Interruption> interrupted_by(const Snapshot& snapshot, const Loss& loss);

/// The interface of a default route that is in `loss`, where that interface goes down or no other default route of the
/// family is left; else nullptr.
const Link* default_route_lost(const Snapshot& snapshot, const Loss& loss);

/// "mount /mnt/projects (nfs4 from server.example.com:/projects)"
std::string connection_text(const Connection& connection);

/// Sets the loss, takes_along and disruption of an item. All are empty without a step. The loss is empty too for an
/// item that disappears with another one, which counts it.
void weigh(const Scene& scene, Item& item);

/// Why a step has to wait, as a sentence: its loss cuts off the storage of /, /usr, /var or the records of runs. Empty:
/// it does not.
std::string why_held(const Snapshot& snapshot, const Loss& loss);

/// Where why_held() says something, the item is pending until a reboot, and its step is reduced to what takes nothing
/// away, or removed. No option changes that.
void hold_still(const Scene& scene, Item& item);

}  // namespace rdmastate
