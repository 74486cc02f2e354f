// SPDX-License-Identifier: Apache-2.0
// port_mtu_gap() first asks whether the port has a network device, then why that cannot have the MTU (block_by_limit,
// block_by_others).
#include "resources/port_mtu.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/one_of.hpp"
#include "resources/link_table.hpp"
#include "resources/link_types.hpp"
#include "resources/port_netdev.hpp"
#include "resources/rdma_device/rdma_device.hpp"

namespace rdmastate {
namespace {

Observation port_mtu_observe(const Snapshot& snapshot, const std::string& key) {
  const PortId id = port_id_from(key);
  const Link* link = netdev_link(snapshot, key);
  if (link == nullptr || link->is_ipoib()) return Absent{};
  return State(port_mtu_kind, PortMtuState{id.device, id.port, link->mtu});
}

// The driver's limit holds for good; the others may go.
void block_by_limit(const Link& link, std::uint32_t mtu, Gap& gap) {
  if (link.max_mtu == 0 || mtu <= link.max_mtu) return;
  gap.blocked = fmt::format("{} takes an MTU of {} at most: write that, or less", link.name, link.max_mtu);
  gap.never.emplace();
}

// A bond or team gives its ports its own MTU. The kernel lowers the MTU of a VLAN with that of its interface,
// and nobody raises it again.
void block_by_others(const Snapshot& snapshot, const Link& link, std::uint32_t mtu, Gap& gap) {
  if (!gap.blocked.empty()) return;
  const Link* master = link.master == 0 ? nullptr : snapshot.link(link.master);
  if (master != nullptr && is_one_of(master->kind, {"bond", "team"}))
    gap.blocked = fmt::format("{} is a port of {}, which gives its ports their MTU: set it there, and take mtu out",
                              link.name, master->name);
  for (const Link* one : snapshot.links())
    if (gap.blocked.empty() && one->parent == link.index && one->mtu > mtu)
      gap.blocked =
          fmt::format("{} on {} has MTU {}, which the kernel would lower: lower it first (ip link set {} mtu {})",
                      one->name, link.name, one->mtu, one->name, mtu);
}

Gap changed(const Snapshot& snapshot, const Link& link, const State& wanted, const State& present) {
  Gap gap;
  PortMtuState to = present.as<PortMtuState>();
  to.mtu = wanted.as<PortMtuState>().mtu;
  if (to.mtu == link.mtu) return gap;
  block_by_limit(link, to.mtu, gap);
  block_by_others(snapshot, link, to.mtu, gap);
  if (gap.blocked.empty()) gap.move = Gap::Move{present, State(port_mtu_kind, to)};
  return gap;
}

Gap port_mtu_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  if (wanted == nullptr) return {};
  const PortId id = port_id_from(key);
  const RdmaDevice* device = only_meant(scene.snapshot.devices(), id.device);
  if (device == nullptr) return gap_without_device(scene, id.device);
  if (auto after = gap_of_changing(scene, *device)) return std::move(*after);
  if (auto missing = gap_without_netdev(scene.snapshot, *device, id.port, "mtu", "the MTU is"))
    return std::move(*missing);
  const Link* link = netdev_link(scene.snapshot, key);
  const State* present = state_of(observed);
  if (link == nullptr || present == nullptr) return {};
  return changed(scene.snapshot, *link, *wanted, *present);
}

std::vector<Ref> port_mtu_needs(const std::string& key, const State*) {
  return {{link_types_kind.name, to_text(port_id_from(key).device)},
          {rdma_device_kind.name, to_text(port_id_from(key).device)}};
}

// Looks up the present names: an earlier step may have renamed the device.
void port_mtu_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const PortId id = port_id_from(key);
  const auto devices = tools.host.rdma->devices();
  const RdmaDevice* device = only_meant(devices, id.device);
  const std::string netdev = device == nullptr ? "" : tools.host.rdma->netdev(device->name, id.port.value);
  const auto link = netdev.empty() ? std::nullopt : tools.host.links->find(netdev);
  if (!link || to == nullptr) throw Error(fmt::format("{} has no network device any more", key));
  LinkChange change;
  change.mtu = to->as<PortMtuState>().mtu;
  tools.host.links->change(*link, change);
  tools.links.refresh(link->name);
}

// Drivers set their queues up anew (mlx5e_change_mtu, mlx4_en_change_mtu, bnxt_change_mtu, ice_change_mtu).
Loss port_mtu_loses(const Scene& scene, const std::string& key, const State* from, const State* to) {
  return from == nullptr || to == nullptr ? Loss{} : loss_of_netdev(scene, key);
}

bool port_mtu_has_come(const Snapshot& snapshot, const std::string& key, const State*, bool) {
  return state_of(port_mtu_observe(snapshot, key)) != nullptr;
}

std::string port_mtu_title(const std::string& key, const State*) { return key; }

}  // namespace

constinit const Kind port_mtu_kind = [] {
  Kind kind = kind_of<PortMtuState>("port_mtu");
  kind.rank = 27;  // after devices have their names (22)
  kind.resolve = resolve_port_key;
  kind.observe = port_mtu_observe;
  kind.gap = port_mtu_gap;
  kind.needs = port_mtu_needs;
  kind.move = port_mtu_move;
  kind.loses = port_mtu_loses;
  kind.has_come = port_mtu_has_come;
  kind.title = port_mtu_title;
  return kind;
}();

}  // namespace rdmastate
