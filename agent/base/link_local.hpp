// SPDX-License-Identifier: Apache-2.0
// The addresses that an interface gives itself.
#pragma once

#include "base/types.hpp"

namespace rdmastate {

/// Of IPv6, in fe80::/10: each interface has one, and no router passes it on. False for any of IPv4.
inline bool is_link_local(const IpAddress& address) {
  return address.family == Family::v6 && address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0U) == 0x80;
}

}  // namespace rdmastate
