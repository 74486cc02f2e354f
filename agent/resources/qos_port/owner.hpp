// SPDX-License-Identifier: Apache-2.0
// Who else sets the priorities of a port: a partner of DCBX (IEEE 802.1Qaz), by the adapter's firmware or by lldpad.
#pragma once

#include "resources/qos_port/qos_port.hpp"

namespace rdmastate {

/// Open-LLDP's agent. It negotiates DCBX on each interface that has DCB (lldpad(8)); its socket starts it too.
inline constexpr std::string_view lldpad_unit = "lldpad.service";
inline constexpr std::string_view lldpad_socket = "lldpad.socket";

/// Who else sets flow control, traffic classes and priorities of a network device. Both empty: nobody.
struct DcbOwner {
  std::string other = {};   ///< a sentence: who, and how to turn that off
  std::string unseen = {};  ///< a sentence: why it cannot be told whether somebody does
};

/// The owner of this network device's priorities. What is set beside one is lost with its next frame, or refused by the
/// driver (bnxt_en, ice: EINVAL). lldpad counts while it runs, and also where it will: rdmastate's own unit comes
/// before it at a boot.
DcbOwner other_dcb_owner(const Snapshot& snapshot, const RdmaDevice& device, const std::string& netdev,
                         const DcbState& now);

/// The files that tell whether lldpad runs, and whether systemd starts it.
FilePlaces lldpad_places();

}  // namespace rdmastate
