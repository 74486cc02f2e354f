// SPDX-License-Identifier: Apache-2.0
// Kind `address`: one IP address on one IPoIB interface. Key: LinkId and address. Owned one by one: a cluster's virtual
// address on the same interface is not ours.
#pragma once

#include "resources/kind.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

struct AddressState {
  LinkId link;
  IpInterface address;
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
/// The kind's key.
std::string address_key(const LinkId& link, const IpInterface& address);

}  // namespace rdmastate
