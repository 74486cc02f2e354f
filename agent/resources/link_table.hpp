// SPDX-License-Identifier: Apache-2.0
// The table by which movers find interfaces while they change them: read once from the host, and told of each change.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/host.hpp"
#include "resources/link_id.hpp"

namespace rdmastate {

/// Interfaces by identity, from one dump that is taken when something is first asked for. A Snapshot may not be used
/// after a move; this may, as long as every change of an interface is reported by refresh() or forget().
class LinkTable {
 public:
  explicit LinkTable(Host& host) : host_(host) {}

  /// nullptr when there is no such interface, and where `id` selects it by an RDMA device and port number: the table
  /// knows GUIDs and names alone. Kind::resolve has given a key the GUID where the host knows the port. Valid until the
  /// next refresh() or forget().
  const Link* find(const LinkId& id);
  /// As find(); an interface that is not there is an Error naming it.
  const Link& require(const LinkId& id);
  /// The ports of the bond with this ifindex.
  std::vector<Link> ports_of(std::uint32_t bond);
  /// Asks the host again about one interface, by its (new) name; one that is not there stays as it was known.
  void refresh(const std::string& name);
  /// Forgets an interface that was removed, by its ifindex.
  void forget(std::uint32_t index);
  /// Forgets everything: the next question dumps again.
  void forget();

 private:
  void learn();
  const Link* match(const LinkId& id);
  void index(const Link& link);

  Host& host_;
  bool learnt_ = false;
  std::map<std::uint32_t, Link> links_;  ///< by ifindex
  // The ifindex of a port's interface by its GUID, of a child by partition(), and of any interface by its name.
  std::unordered_map<std::uint64_t, std::uint32_t> by_guid_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_partition_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
};

}  // namespace rdmastate
