// SPDX-License-Identifier: Apache-2.0
// Whether firewalld lets the packets of software RoCE (rxe) in. Those of an adapter never pass the host's firewall.
#pragma once

#include "doctor/examination.hpp"

namespace rdmastate::doctor {

/// Finds rxe devices whose network device stands in a zone of firewalld, while that runs, that does not open UDP 4791.
void look_for_closed_port(Examination& look);

/// The files of firewalld that it reads.
FilePlaces firewall_places();

}  // namespace rdmastate::doctor
