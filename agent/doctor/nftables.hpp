// SPDX-License-Identifier: Apache-2.0
// Finds out whether the rules that nftables.service loads at boot drop the packets of software RoCE (rxe).
#pragma once

#include "doctor/examination.hpp"

namespace rdmastate::doctor {

/// What a finding says of a firewall that does not open UDP 4791.
inline constexpr std::string_view why_roce_needs_the_port =
    "RoCE v2 travels in UDP to port 4791, and software RoCE takes its packets from the host's network stack, behind the "
    "firewall.";

/// While nftables.service is active: finds these devices where a chain of its file surely drops their packets. Rules
/// that were changed by hand since are not seen.
void look_for_dropping_rules(Examination& look, const std::vector<SoftDevice>& devices);

/// The files of nftables that look_for_dropping_rules() reads.
FilePlaces nftables_places();

}  // namespace rdmastate::doctor
