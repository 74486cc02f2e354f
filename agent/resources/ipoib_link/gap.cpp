// SPDX-License-Identifier: Apache-2.0
// Four cases: a child is created or removed, a port's interface is missing, or an interface is there and differs. Then
// `to` begins as all that is wanted, and each hold_back_*() takes out of it what the kernel would refuse now or for
// ever, and says why in `gap`. What is left in `to` is the step.
#include "resources/ipoib_link/gap.hpp"

#include <fmt/format.h>

#include "base/fields_overlay.hpp"
#include "resources/link_types.hpp"
#include "resources/module.hpp"
#include "resources/renames.hpp"
#include "resources/virtual_functions/bringer.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t connected_mtu = 65520;  // IPOIB_CM_MTU, ipoib.h

// The port of the interface, by GUID or by device and number; `device` gets the device's name. nullptr: not known.
const RdmaPort* port_of(const Facts& facts, const LinkId& id, std::string& device) {
  for (const auto& one : facts.devices)
    for (const auto& port : one.ports)
      if ((id.guid.value != 0 && port.guid == id.guid) || (one.name == id.device && port.number == id.port)) {
        device = one.name;
        return &port;
      }
  return nullptr;
}

std::string known_ports(const Facts& facts) {
  std::string text;
  for (const auto& device : facts.devices)
    for (const auto& port : device.ports)
      text += fmt::format("{}{} port {} is {}", text.empty() ? "" : ", ", device.name, port.number, to_text(port.guid));
  return text.empty() ? "no RDMA device is known to the kernel" : text;
}

// Why an InfiniBand port has no interface of its own, as a sentence. `is_known`: the port is known, or the spec names
// the interface by its name alone.
std::string why_no_interface(const Scene& scene, const LinkId& id, bool is_known) {
  if (!is_known) return fmt::format("there is no {} here: {}", to_text(id), known_ports(scene.facts));
  const ModuleStatus module = scene.snapshot.module({"ib_ipoib"});
  if (module == ModuleStatus::loadable)
    return fmt::format("ib_ipoib is not loaded, so {} has no interface: add ib_ipoib to modules.load", to_text(id));
  if (module == ModuleStatus::missing)
    return fmt::format("the running kernel has no module ib_ipoib, so {} has no interface", to_text(id));
  return fmt::format("there is no IPoIB interface for {}: ib_ipoib is loaded and has made none", to_text(id));
}

// A port's own interface is not there. It may come with a step of this plan, on the port's type or on ib_ipoib; else it
// is blocked.
Gap missing_port(const Scene& scene, const LinkId& id) {
  Gap gap;
  std::string device;
  const RdmaPort* port = port_of(scene.facts, id, device);
  const bool is_other_layer = port != nullptr && port->link_layer != LinkLayer::infiniband;
  // A port that is Ethernet now has no GUID yet: a step on its link type may bring the interface.
  if (port == nullptr || is_other_layer) gap.after = bringer_of_ports(scene);
  if (port == nullptr && gap.after.empty()) gap.after = bringer_of_guid(scene, id.guid);
  if (!gap.after.empty()) return gap;
  // An interface that the spec selects by its name tells its port only once it is there.
  const bool is_known = port != nullptr || !id.name.empty();
  if (is_other_layer) {
    gap.blocked = fmt::format(
        "{} port {} has link layer {}: IPoIB needs an InfiniBand port (take it out of ipoib, or change "
        "the port's link type)",
        device, port->number, to_text(port->link_layer));
    gap.never.emplace();
  } else if (is_known && is_coming(scene, "ib_ipoib")) {
    gap.after = "module ib_ipoib";
  } else {
    gap.blocked = why_no_interface(scene, id, is_known);
    // rdma-core loads ib_ipoib a moment after an adapter has come.
    gap.comes_late = !is_known || scene.snapshot.module({"ib_ipoib"}) != ModuleStatus::missing;
  }
  return gap;
}

// The parent where its own P_Key is the child's, else nullptr. By netlink the kernel creates such a child, which would
// double the parent; through sysfs it refuses it (ENOTUNIQ).
const Link* parent_with_key(const Scene& scene, const LinkId& id) {
  const Link* parent = find_link(scene.snapshot, id.parent());
  return parent != nullptr && parent->ipoib && parent->ipoib->pkey == *id.pkey ? parent : nullptr;
}

Gap created(const Scene& scene, const LinkId& id, const State& wanted) {
  IpoibLink to = as_created(wanted.as<IpoibLink>());
  to.id = id;
  Gap gap;
  if (const Link* parent = parent_with_key(scene, id)) {
    gap.blocked = fmt::format(
        "P_Key {} is {}'s own, the first of its port's table: a child in it would be its double; set the addresses on "
        "{}, or give another partition's key",
        to_text(*id.pkey), parent->name, parent->name);
    gap.never.emplace();
    return gap;
  }
  gap.move = Gap::Move{std::nullopt, State(ipoib_link_kind, std::move(to))};
  return gap;
}

Gap removed(const LinkId& id, const State& present) {
  Gap gap;
  const auto& link = present.as<IpoibLink>();
  if (!id.pkey) {
    gap.blocked = fmt::format("{} belongs to its port and cannot be removed", link.name->value);
    return gap;
  }
  gap.move = Gap::Move{present, std::nullopt};
  return gap;
}

// Why the interface cannot be renamed now; empty: it can. A kernel before 6.2 renames no interface that is up, so
// rdmastate takes it down first, but only where its owner takes it up again.
std::string why_not_now(const Scene& scene, const std::string& key, const std::string& name) {
  if (!is_taken_up(scene, name))
    return "the kernel refuses to rename an interface that is up (or take it down and apply again)";
  return scene.plan.why_kept(loss_of_link(scene.snapshot, find_link(scene.snapshot, link_id_from(key))));
}

// A name that cannot be given now is taken out of `to`, and `gap` says why.
void hold_back_name(const Scene& scene, const std::string& key, const IpoibLink& from, IpoibLink& to, Gap& gap) {
  if (to.name == from.name || !from.up.value_or(false)) return;
  const std::string why = why_not_now(scene, key, to.name->value);
  if (why.empty()) return;
  gap.pending = {fmt::format("{} becomes {} at the next boot: {}", from.name->value, to.name->value, why),
                 Until::reboot};
  to.name = from.name;
}

// Whether this plan gives that interface another name.
bool is_renamed(const Scene& scene, const Link& holder) {
  if (!holder.is_ipoib()) return false;
  const auto* wanted = scene.plan.wanted(ipoib_link_kind, ipoib_link_key(scene.snapshot, holder));
  if (wanted == nullptr || !*wanted) return false;
  const auto& name = (*wanted)->as<IpoibLink>().name;
  return name && name->value != holder.name;
}

// The interface that has the name now gives it up where this plan renames it too: now where it is down, else at the
// next boot.
void hold_back_taken_name(const Scene& scene, const IpoibLink& from, IpoibLink& to, Gap& gap) {
  const Link* holder = to.name == from.name ? nullptr : scene.snapshot.link(to.name->value);
  if (holder == nullptr) return;
  const bool goes = is_renamed(scene, *holder);
  if (goes && !holder->up) return;
  if (goes) {
    gap.pending = {fmt::format("{} becomes {} at the next boot: the interface that is called so now is up",
                               from.name->value, to.name->value),
                   Until::reboot};
  } else {
    gap.blocked =
        fmt::format("another interface is called {}: give that one another name in this spec too", to.name->value);
    gap.never = {"name"};
  }
  to.name = from.name;
}

// Connected mode, and the MTU that was asked for with it, where the driver has only datagram mode.
void hold_back_mode(const Scene& scene, const LinkId& id, const IpoibLink& from, IpoibLink& to, Gap& gap) {
  if (to.mode == from.mode || to.mode != IpoibMode::connected) return;
  const Link* link = find_link(scene.snapshot, id);
  if (link == nullptr || link->supports_connected()) return;
  gap.blocked = fmt::format(
      "{} has no connected mode (Enhanced IPoIB, or a kernel without CONFIG_INFINIBAND_IPOIB_CM): use "
      "mode: datagram with an MTU of at most 4092",
      from.name->value);
  if (!gap.never) gap.never.emplace();
  gap.never->insert(gap.never->end(), {"mode", "mtu"});
  to.mode = from.mode;
  to.mtu = from.mtu;
}

// In datagram mode the kernel takes any legal MTU without an error and uses the smaller of it and the multicast
// group's. This is blocked only where an earlier apply has set the MTU.
void hold_back_mtu(const Scene& scene, const std::string& key, const IpoibLink& from, IpoibLink& to, Gap& gap) {
  const bool stays_datagram = to.mode == IpoibMode::datagram && from.mode == to.mode;
  const bool is_raised = to.mtu && from.mtu && *from.mtu < *to.mtu;
  if (!stays_datagram || !is_raised) return;
  if (scene.plan.moved_to(ipoib_link_kind, key) != digest(State(ipoib_link_kind, to))) return;
  gap.blocked = fmt::format(
      "{} stays at MTU {} although {} was set: the partition's IPoIB multicast group is smaller; set "
      "mtu=5 (4096) for it in the subnet manager's partitions.conf",
      from.name->value, *from.mtu, *to.mtu);
  to.mtu = from.mtu;
}

Gap changed(const Scene& scene, const std::string& key, const State& wanted, const State& present) {
  const auto& from = present.as<IpoibLink>();
  const auto& asked = wanted.as<IpoibLink>();
  IpoibLink to = laid_over(from, asked);
  to.id = from.id;
  Gap gap;
  hold_back_taken_name(scene, from, to, gap);
  hold_back_name(scene, key, from, to, gap);
  hold_back_mode(scene, from.id, from, to, gap);
  hold_back_mtu(scene, key, from, to, gap);
  if (to.mode != from.mode && !asked.mtu) {  // the kernel gives the interface the new mode's MTU
    to.mtu.reset();
    if (to.mode == IpoibMode::connected) to.mtu = connected_mtu;
  }
  if (to == from) return gap;
  // An interface that goes up joins its multicast group, which changes its MTU: so the step does not say that one.
  if (!asked.mtu && to.mtu == from.mtu) to.mtu.reset();
  gap.move = Gap::Move{present, State(ipoib_link_kind, to)};
  return gap;
}

}  // namespace

Gap ipoib_link_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const LinkId id = link_id_from(key);
  const State* present = state_of(observed);
  if (wanted == nullptr) return present != nullptr ? removed(id, *present) : Gap{};
  if (present != nullptr) return changed(scene, key, *wanted, *present);
  return id.pkey ? created(scene, id, *wanted) : missing_port(scene, id);
}

}  // namespace rdmastate
