// SPDX-License-Identifier: Apache-2.0
// Interfaces, addresses and routes of the live host.
#pragma once

#include "host/links.hpp"
#include "sys/netlink.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// The child of this parent and P_Key among `after` that was not there `before`; two may have the same P_Key. nullopt:
/// there is none. Pure.
std::optional<Link> new_child(const std::vector<Link>& before, const std::vector<Link>& after, const NewIpoib& wanted);

/// Whether this interface is down and a child of it is up. Since Linux 6.17 children follow their parent a moment
/// later. Pure.
bool has_late_children(const std::vector<Link>& all, std::uint32_t parent);

/// The live host's interfaces, by rtnetlink; IPv6 settings by /proc/sys; connected mode by the interface's attribute in
/// /sys, and by rtnetlink where it has none. A link whose parent is in another network namespace has the parent
/// Link::parent_elsewhere.
/// Contract: host/links.hpp.
class NetlinkLinks final : public Links {
 public:
  /// `root` must be the live one and outlive this object.
  explicit NetlinkLinks(const Root& root) : root_(root), netlink_(/*protocol: NETLINK_ROUTE*/ 0) {}

  std::size_t count() override;
  std::vector<Link> dump() override;
  std::optional<Link> find(const std::string& name) override;
  std::vector<Address> addresses(std::uint32_t link) override;
  std::vector<Route> routes(std::uint32_t link) override;

  void create(const NewIpoib& wanted) override;
  void change(const Link& link, const LinkChange& change) override;
  void create(const NewBond& wanted) override;
  void change(const Link& bond, const BondChange& change) override;
  void set_master(const Link& port, std::uint32_t bond) override;
  void remove(const Link& link) override;
  void add(const Address& address) override;
  void remove(const Address& address) override;
  void add(const Route& route) override;
  void remove(const Route& route) override;
  std::vector<VfSettings> vf_settings(const Link& link) override;
  void change_vf(const Link& link, std::uint32_t number, const VfSettings& settings) override;

 private:
  /// Appends the routes of one family through the interface with the index `link`; 0: through any.
  void routes_of(Family family, std::uint32_t link, std::vector<Route>& routes);
  /// Whether /sys/class/net/NAME/FILE exists and NAME has this index there.
  bool has_attribute(const std::string& name, std::uint32_t index, std::string_view file) const;
  /// Makes a child by the file create_child of the interface `parent`.
  void create_connected(const std::string& parent, const NewIpoib& wanted);
  /// Sets the mode by the attribute in /sys; `message` is the request that sets it where there is no attribute.
  void set_mode(const Link& link, IpoibMode mode, codec::Message message);
  void rename(const Link& link, const std::string& name);
  /// Waits, but not for ever, until no child of this interface has yet to follow it down.
  void await_children(const Link& parent);
  void set_ipv6(const std::string& name, Ipv6Conf wanted);

  const Root& root_;
  NetlinkSocket netlink_;
};

}  // namespace rdmastate
