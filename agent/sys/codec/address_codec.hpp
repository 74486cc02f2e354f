// SPDX-License-Identifier: Apache-2.0
// Interface addresses as rtnetlink's bytes.
#pragma once

#include "host/links.hpp"
#include "sys/codec/attributes.hpp"

namespace rdmastate::codec {

/// From an RTM_NEWADDR's payload; nullopt for a family that is neither IPv4 nor IPv6. Throws Error where it is
/// malformed.
std::optional<Address> address_from(Bytes payload);

/// Asks for the addresses of one interface (its index), or of all where `link` is 0. Kernels before 4.20 give all in
/// either case.
Message address_dump(std::uint32_t link);
/// Adds an address; to an IPv4 one its subnet's broadcast address where there is one (prefix shorter than 31).
Message address_add(const Address& address);
Message address_delete(const Address& address);

/// The address in an attribute. Throws Error where its size is not that of the family.
IpAddress ip_from(const Attribute& attribute, Family family);
/// A view of the address's 4 or 16 bytes, as long as the address lives.
Bytes bytes_of(const IpAddress& address);
/// AF_INET or AF_INET6.
std::uint8_t af_of(Family family);
/// nullopt for any other family.
std::optional<Family> family_of(std::uint8_t af);

}  // namespace rdmastate::codec
