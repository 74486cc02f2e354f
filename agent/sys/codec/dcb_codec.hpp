// SPDX-License-Identifier: Apache-2.0
// DCB netlink (RTM_GETDCB, RTM_SETDCB; IEEE 802.1Qaz) as bytes: net/dcb/dcbnl.c.
#pragma once

#include "host/dcb.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// From the answer to dcb_get(): priority flow control (PFC), traffic classes (ETS), receive buffers, of the
/// application table the DSCP entries, and who negotiates (DCBX). What the answer does not have stays unset. Throws
/// Error where it is malformed.
DcbState dcb_from(Bytes payload);
/// The errno in the answer to one of the other requests, positive; 0: it is done. The kernel gives it negative, in one
/// byte of DCB_ATTR_IEEE: of an errno above 255 the rest is cut off (ENOTSUPP, 524, is ENOMEM, 12, here). 1 and 2 in
/// that byte are no errno: they are ICE_DCB_NO_HW_CHG and ICE_DCB_HW_CHG of ice. To an entry of a DSCP ice answers 1
/// for every outcome but success (ice_dcbnl_setapp), a refusal of its firmware too, and the kernel's table has the
/// entry already: so 0 here does not mean that the hardware has it. Throws Error where there is no outcome.
int dcb_outcome_from(Bytes payload);

/// The requests of DCB netlink (linux/dcbnl.h): DCB_CMD_IEEE_GET, _SET and _DEL. `netdev` is an interface's name.
Message dcb_get(const std::string& netdev);
Message dcb_set_flow_control(const std::string& netdev, const FlowControl& wanted);
Message dcb_set_classes(const std::string& netdev, const TrafficClasses& wanted);
Message dcb_set_buffers(const std::string& netdev, const PortBuffers& wanted);
Message dcb_add_dscp(const std::string& netdev, DscpEntry entry);
Message dcb_remove_dscp(const std::string& netdev, DscpEntry entry);

}  // namespace rdmastate::codec
