// SPDX-License-Identifier: Apache-2.0
// why_detection_waits() of ifupdown_file.hpp. ifup of a static IPv6 address waits for its duplicate address detection,
// and fails when that has not ended after 6 seconds (ifupdown's settle-dad.sh). Detection needs a carrier.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "host/ifupdown.hpp"
#include "resources/ifupdown_file/ifupdown_file.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/ipoib_link/warn.hpp"

namespace rdmastate {
namespace {

bool has_ipv6(const InterfaceStanzas& one) {
  return std::any_of(one.addresses.begin(), one.addresses.end(),
                     [](const IpInterface& address) { return address.address.family == Family::v6; });
}

// Why a child has no carrier: its P_Key, which is read from its name, is not in the table of its port, whose interface
// is `port`. Empty: the P_Key is there, or this is not known.
std::string why_partition_has_none(const Scene& scene, const Link& port, const std::string& child) {
  LinkId id = link_id_from(ipoib_link_key(scene.snapshot, port));
  PKey pkey;
  if (Text<PKey>::read({"0x" + child.substr(child.find('.') + 1), true}, pkey)) return {};
  id.pkey = pkey;
  return why_no_carrier(scene.facts, id, child);
}

}  // namespace

std::string why_detection_waits(const Scene& scene, const InterfaceStanzas& one) {
  if (!has_ipv6(one)) return {};
  const std::string parent = ifupdown_parent(one.name);
  const Link* port = scene.snapshot.link(parent.empty() ? one.name : parent);
  if (port == nullptr) return {};
  if (port->up && !port->carrier) return fmt::format("{} has no carrier", port->name);
  return parent.empty() || !port->is_ipoib() ? std::string() : why_partition_has_none(scene, *port, one.name);
}

}  // namespace rdmastate
