// SPDX-License-Identifier: Apache-2.0
#include "host/links.hpp"

namespace rdmastate {

bool Link::is_ipoib() const { return type == type_infiniband && (kind.empty() || kind == "ipoib"); }

Guid Link::port_guid() const {
  constexpr std::size_t ipoib_address_size = 20;
  constexpr std::size_t guid_at = 12;
  Guid guid;
  if (!is_ipoib() || address.size() != ipoib_address_size) return guid;
  for (std::size_t i = guid_at; i < address.size(); ++i)
    guid.value = guid.value << 8U | static_cast<std::uint8_t>(address[i]);
  return guid;
}

bool Link::supports_connected() const {
  return is_ipoib() && !address.empty() && (static_cast<std::uint8_t>(address[0]) & 0x80U) != 0;
}

}  // namespace rdmastate
