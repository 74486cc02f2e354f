// SPDX-License-Identifier: Apache-2.0
// DCB netlink (RTM_GETDCB, RTM_SETDCB; IEEE 802.1Qaz) as bytes: net/dcb/dcbnl.c.
#pragma once

#include "host/dcb.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// From the answer of dcb_get(). Other tables' attributes, and applications other than DSCP, are passed over.
DcbState dcb_from(Bytes payload);
/// A SET is answered by a message of its own, with its errno in an attribute of one byte: positive, 0 is done.
int dcb_outcome_from(Bytes payload);

/// The requests of DCB netlink (linux/dcbnl.h): DCB_CMD_IEEE_GET, _SET and _DEL.
Message dcb_get(const std::string& netdev);
Message dcb_set_flow_control(const std::string& netdev, const FlowControl& wanted);
Message dcb_add_dscp(const std::string& netdev, DscpEntry entry);
Message dcb_remove_dscp(const std::string& netdev, DscpEntry entry);

}  // namespace rdmastate::codec
