// SPDX-License-Identifier: Apache-2.0
// nfs.server.firewall: ports of a zone of firewalld, now and for good.
#pragma once

#include "sections/nfs/spec.hpp"
#include "sections/section.hpp"

namespace rdmastate {

/// Wants each port twice: of the firewalld that runs, and as its twin of the zone's file. Nothing where the spec says
/// nothing of a firewall.
void add_firewall(const NfsServer& server, Desired& desired);
/// The zone that lets in this port for good, by entries of its own for both protocols. nullopt: none or several do, or
/// this user may not ask.
std::optional<NfsFirewall> adopted_firewall(const Adoption& from, NfsPort port, Adopted& to);

}  // namespace rdmastate
