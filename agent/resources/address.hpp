// SPDX-License-Identifier: Apache-2.0
// Kind `address`: one IP address on one IPoIB interface. Key: LinkId and address. Twin: the file of a back end, or
// boot.json. The ledger lists single addresses: a cluster's virtual address on the same interface stays foreign.
#pragma once

#include "resources/kind.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

/// All of it is in the key: an address is there or absent, and never changed.
struct AddressState {
  LinkId link;          ///< the identity of the interface
  IpInterface address;  ///< with its prefix length
  bool operator==(const AddressState&) const = default;
};

template <>
struct Fields<AddressState> {
  static constexpr std::string_view name = "address";
  static constexpr std::string_view doc = "One IP address on one interface.";
  static constexpr auto table = Table{
      Field{"link", &AddressState::link, "The interface's identity.", {.required = true, .identity = true}},
      Field{"address", &AddressState::address, "Address and prefix length.", {.required = true, .identity = true}},
  };
};

extern const Kind address_kind;
/// The key: the LinkId's text, a space and the address.
std::string address_key(const LinkId& link, const IpInterface& address);

}  // namespace rdmastate
