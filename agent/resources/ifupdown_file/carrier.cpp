// SPDX-License-Identifier: Apache-2.0
// why_detection_waits() of ifupdown_file.hpp. ifup of a static IPv6 address waits for its duplicate address detection,
// and fails when that has not ended after 6 seconds (ifupdown's settle-dad.sh). Detection needs a carrier.
#include <algorithm>

#include "base/text.hpp"
#include "host/ifupdown.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "resources/ipoib_link/carrier.hpp"

namespace rdmastate {
namespace {

bool has_ipv6(const InterfaceStanzas& one) {
  return std::any_of(one.addresses.begin(), one.addresses.end(),
                     [](const IpInterface& address) { return address.address.family == Family::v6; });
}

// The P_Key that ifupdown reads from a child's name; nullopt: the name has none.
std::optional<PKey> pkey_of(const std::string& child) {
  PKey pkey;
  if (Text<PKey>::read({"0x" + child.substr(child.find('.') + 1), true}, pkey)) return std::nullopt;
  return pkey;
}

}  // namespace

std::string why_detection_waits(const Scene& scene, const InterfaceStanzas& one) {
  if (!has_ipv6(one)) return {};
  const std::string parent = ifupdown_parent(one.name);
  return why_without_carrier(scene, one.name, parent, parent.empty() ? std::nullopt : pkey_of(one.name));
}

}  // namespace rdmastate
