// SPDX-License-Identifier: Apache-2.0
// The field nfs.server.firewall: expands it into ports of a zone of firewalld, and adopts it from the host's zones.
#pragma once

#include "sections/nfs/spec.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// Wants each port in the firewalld that runs (kind firewall_port) and, as its twin, from firewalld's next start on
/// (kind zone_port). Adds nothing where the spec has no `firewall`.
void add_firewall(const NfsServer& server, Desired& desired);
/// The one zone whose permanent configuration has an entry for this port, TCP or UDP, and lets in both, by whatever
/// else it has; `roce` is true where it also has an entry for RoCE's port, else not set. The zone's file is noted in
/// `to` as the field's source. nullopt: there is no such zone, or several, or this user may not ask.
std::optional<NfsFirewall> adopted_firewall(const Adoption& from, NfsPort port, Adopted& to);

}  // namespace rdmastate
