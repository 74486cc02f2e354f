// SPDX-License-Identifier: Apache-2.0
// Renames interfaces, sets their MTU, takes them up and down, and removes them, as net/core/dev.c and rtnetlink.c do
// it. A comment names the kernel's function that is followed.
#include <algorithm>
#include <cerrno>
#include <string_view>

#include "host/recorded/kernel.hpp"

namespace rdmastate::kernel {
namespace {

constexpr std::uint32_t least_mtu = 68;       // ETH_MIN_MTU
constexpr std::uint32_t largest_mtu = 65535;  // ETH_MAX_MTU
constexpr std::uint32_t ipv6_mtu = 1280;      // IPV6_MIN_MTU

std::vector<std::uint32_t> children_of(const HostModel& model, std::uint32_t index) {
  std::vector<std::uint32_t> children;
  for (const auto& [child, link] : model.links)
    if (link.link.is_child() && link.link.parent == index) children.push_back(child);
  return children;
}

// dev_valid_name, whose isspace takes Latin-1's no-break space for one too (lib/ctype.c). The kernel would number a
// pattern ("ib%d"); rdmastate sends none, so it is refused here.
bool is_valid(const std::string& name) {
  if (name.empty() || name.size() > IfName::max_length || name == "." || name == "..") return false;
  return std::none_of(name.begin(), name.end(),
                      [](char c) { return std::string_view("/:% \t\n\v\f\r\xa0").find(c) != std::string_view::npos; });
}

void gain_carrier(HostModel& model, RecordedLink& link) {
  if (link.link.carrier || !link.link.up) return;
  if (!link.link.ipoib) {
    link.link.carrier = link.cable;
  } else if (can_join(model, link.link)) {
    join(model, link);
  }
}

// Takes an interface up. An IPoIB parent takes its children up too, unless its own P_Key is missing (ipoib_open).
void open(HostModel& model, RecordedLink& link) {
  if (link.link.up) return;
  link.link.up = true;
  gain_carrier(model, link);
  addresses_up(model, link.link);
  port_changed(model, link.link);
  if (!link.link.ipoib || link.link.is_child() || !is_member(model, link.link)) return;
  for (const std::uint32_t child : children_of(model, link.link.index)) open(model, *model.find(child));
}

// Takes an interface down, and its children (ipoib_stop).
void stop(HostModel& model, RecordedLink& link) {
  if (!link.link.up) return;
  link.link.up = false;
  link.link.carrier = false;
  addresses_down(model, link.link);
  port_changed(model, link.link);
  for (const std::uint32_t child : children_of(model, link.link.index)) stop(model, *model.find(child));
}

}  // namespace

void check_new_name(HostModel& model, const std::string& name) {
  if (name.size() > IfName::max_length) throw Refusal{ERANGE};
  if (!is_valid(name)) throw Refusal{EINVAL};
  if (model.find(name) != nullptr) throw Refusal{EEXIST};
}

// dev_set_mtu: the same value never reaches the driver.
void set_mtu(HostModel& model, RecordedLink& link, std::uint32_t mtu) {
  if (mtu == link.link.mtu) return;
  if (link.link.bond) set_port_mtus(model, link.link, mtu);
  if (link.link.ipoib) return set_ipoib_mtu(model, link, mtu);
  if (mtu < least_mtu) throw Refusal{EINVAL, "mtu less than device minimum"};
  if (mtu > (link.link.max_mtu != 0 ? link.link.max_mtu : largest_mtu))
    throw Refusal{EINVAL, "mtu greater than device maximum"};
  mtu_changed(model, link, mtu);
}

void mtu_changed(HostModel& model, RecordedLink& link, std::uint32_t mtu) {
  link.link.mtu = mtu;
  if (mtu < ipv6_mtu) {
    drop_ipv6(model, link.link.index);
    link.link.ipv6.reset();
  } else if (!link.link.ipv6 && model.ipv6) {
    link.link.ipv6 = Ipv6Conf::automatic;
    link_ready(model, link.link);
  }
}

// dev_change_name of Linux 6.1, which is stricter: since 6.2 an interface may be renamed while it is up.
void rename(HostModel& model, RecordedLink& link, const std::string& name) {
  if (name.size() > IfName::max_length) throw Refusal{ERANGE};
  if (link.link.up) throw Refusal{EBUSY};
  if (name == link.link.name) return;
  check_new_name(model, name);
  for (auto& [device, soft] : model.soft)
    if (soft.netdev == link.link.name) soft.netdev = name;
  for (auto& [port, netdev] : model.netdevs)
    if (netdev == link.link.name) netdev = name;
  link.link.name = name;
}

void set_ipv6(HostModel& model, RecordedLink& link, Ipv6Conf conf) {
  if (!link.link.ipv6) throw Refusal{ENOENT};  // no /proc/sys/net/ipv6/conf/NAME
  const bool was_off = *link.link.ipv6 == Ipv6Conf::disabled;
  link.link.ipv6 = conf;
  if (conf == Ipv6Conf::disabled) {
    drop_ipv6(model, link.link.index);
  } else if (was_off && link.link.up) {
    addresses_up(model, link.link);
  }
}

void set_up(HostModel& model, RecordedLink& link, bool up) {
  if (up) return open(model, link);
  stop(model, link);
}

void remove(HostModel& model, const Link& link) {
  const RecordedLink* present = model.find(link.index);
  if (present == nullptr) throw Refusal{ENODEV};
  if (present->link.kind.empty()) throw Refusal{EOPNOTSUPP};
  const bool ignored = present->link.is_ipoib() && !present->link.is_child();  // ipoib_del_child_link
  if (!ignored) unregister(model, link.index);
}

void unregister(HostModel& model, std::uint32_t index) {
  for (const std::uint32_t child : children_of(model, index)) unregister(model, child);
  if (const RecordedLink* gone = model.find(index)) {
    drop_soft_devices(model, gone->link.name);
    port_gone(model, Link(gone->link));
  }
  std::erase_if(model.addresses, [&](const Address& one) { return one.link == index; });
  std::erase_if(model.routes, [&](const Route& one) { return one.link == index; });
  model.links.erase(index);
}

void fabric_changed(HostModel& model) {
  for (auto& [index, link] : model.links) {
    if (!link.link.ipoib || !link.link.up) continue;
    if (!can_join(model, link.link)) {
      link.link.carrier = false;
      port_changed(model, link.link);
    } else if (!link.link.carrier) {
      gain_carrier(model, link);
      link_ready(model, link.link);
      port_changed(model, link.link);
    }
  }
}

}  // namespace rdmastate::kernel
