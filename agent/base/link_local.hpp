// SPDX-License-Identifier: Apache-2.0
// Recognises link-local addresses: those that an interface gives itself.
#pragma once

#include "base/types.hpp"

namespace rdmastate {

/// Whether an address is one of IPv6 in fe80::/10, which no router forwards. False for IPv4.
inline bool is_link_local(const IpAddress& address) {
  return address.family == Family::v6 && address.bytes[0] == 0xfe && (address.bytes[1] & 0xc0U) == 0x80;
}

}  // namespace rdmastate
