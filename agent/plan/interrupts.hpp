// SPDX-License-Identifier: Apache-2.0
// Finds the mounts, storage connections, sessions and rules of policy routing that use an interface, address or route
// that a step takes away; and holds back a step that would cut off the storage of the running system.
#pragma once

#include "plan/plan.hpp"

namespace rdmastate {

/// One user of the network that a step interrupts. Both pointers belong to the Snapshot.
struct Interruption {
  const Connection* connection;
  const Link* link;  ///< the interface that its traffic goes over
};

/// The connections whose local address, or whose best route to the peer, is in `loss`, each once; where it is a loss of
/// RDMA alone, only those that use RDMA. None where `loss` has no interface, address or route: the host is not asked.
std::vector<Interruption> interrupted_by(const Snapshot& snapshot, const Loss& loss);

/// The interface of a default route that is in `loss`, where that interface goes down or no other default route of the
/// family is left; else nullptr, and so where it is a loss of RDMA alone.
const Link* default_route_lost(const Snapshot& snapshot, const Loss& loss);

/// "mount /mnt/projects (nfs4 from server.example.com:/projects)"
std::string connection_text(const Connection& connection);

/// Sets Item::loss, takes_along and disruption, as the item's kind says. All are empty without a step. The loss is
/// empty too for an item that disappears with another one (Cause::goes_with): the loss of that one has it.
void weigh(const Scene& scene, Item& item);

/// Why a step has to wait, as a sentence: its loss cuts off the storage of /, /usr, /var or the records of runs. Empty:
/// it does not.
std::string why_held(const Snapshot& snapshot, const Loss& loss);

/// Where why_held() says something, the item is pending until a reboot, and its step is reduced to what takes nothing
/// away, or removed. No option changes that.
void hold_still(const Scene& scene, Item& item);

}  // namespace rdmastate
