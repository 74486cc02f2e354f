// SPDX-License-Identifier: Apache-2.0
// Finds out whether firewalld, or nftables.service, lets the packets of software RoCE (rxe) in. Those of an adapter
// never pass the host's firewall.
#pragma once

#include "doctor/examination.hpp"

namespace rdmastate::doctor {

/// While firewalld runs: finds each rxe device whose network device is in a zone that does not open UDP 4791; otherwise
/// each one where the rules of nftables.service drop it. It is the check roce-port-closed of system.cpp.
void look_for_closed_port(Examination& look);

/// The files of firewalld and nftables that look_for_closed_port() reads.
FilePlaces firewall_places();

}  // namespace rdmastate::doctor
