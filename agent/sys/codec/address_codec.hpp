// SPDX-License-Identifier: Apache-2.0
// Interface addresses as rtnetlink's bytes.
#pragma once

#include "host/links.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// From an RTM_NEWADDR's payload; nullopt for a family that is neither IPv4 nor IPv6. Throws Error when it is broken.
std::optional<Address> address_from(Bytes payload);

/// Those of one interface, or of all with `link` 0. Kernels before 4.20 ignore the filter.
Message address_dump(std::uint32_t link);
/// IPv4 gets its subnet's broadcast address where there is one (prefix shorter than 31).
Message address_add(const Address& address);
Message address_delete(const Address& address);

/// An attribute that holds an address of `family` (AF_*). Throws Error unless its size is that family's.
IpAddress ip_from(const Attribute& attribute, Family family);
/// The bytes of an address: 4 or 16 of them.
Bytes bytes_of(const IpAddress& address);
/// AF_INET or AF_INET6.
std::uint8_t af_of(Family family);
/// nullopt for any other family.
std::optional<Family> family_of(std::uint8_t af);

}  // namespace rdmastate::codec
