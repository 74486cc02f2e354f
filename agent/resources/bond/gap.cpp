// SPDX-License-Identifier: Apache-2.0
// For each wanted port (judge_port): it can join now, it comes with a step of this plan, it is missing, or something on
// this host keeps it from joining, which blocks the bond. A bond does without ports that are missing; only without any
// it is blocked.
#include "resources/bond/gap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields_overlay.hpp"
#include "base/link_local.hpp"
#include "resources/address.hpp"
#include "resources/ipoib_link/gap.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/netplan_file/netplan_file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "resources/nm_profile/nm_profile.hpp"

namespace rdmastate {
namespace {

// What the wanted ports are on this host.
struct Ports {
  std::vector<LinkId> usable;        ///< there, or made by a step of this plan
  std::vector<std::string> missing;  ///< names
  std::string unfit;                 ///< a sentence: why one of them cannot join
  std::string after;                 ///< a step that brings some of them
};

std::string name_of(const Scene& scene, const LinkId& id) {
  const auto* wanted = scene.plan.wanted(ipoib_link_kind, to_text(id));
  if (wanted != nullptr && *wanted && (*wanted)->as<IpoibLink>().name) return (*wanted)->as<IpoibLink>().name->value;
  const Link* link = find_link(scene.snapshot, id);
  return link != nullptr ? link->name : to_text(id);
}

bool is_going(const Scene& scene, const LinkId& id, const Address& address) {
  const auto* wanted = scene.plan.wanted(address_kind, address_key(id, address.value));
  return wanted != nullptr && !*wanted;
}

// Whether the plan takes the port out of the bond that it is in.
bool leaves(const Scene& scene, const LinkId& id, const Link& bond) {
  const auto* wanted = scene.plan.wanted(bond_kind, to_text(bond_id(bond.name)));
  if (wanted == nullptr || !*wanted) return wanted != nullptr;
  const auto& stay = (*wanted)->as<BondLink>().ports;
  return std::none_of(stay.begin(), stay.end(), [&](const LinkId& one) { return resolve(scene.snapshot, one) == id; });
}

// NetworkManager and networkd take off what the port's own file, or netplan's, does not have.
bool has_file(const Scene& scene, const LinkId& port) {
  const std::string name = name_of(scene, port);
  const auto* profile = scene.plan.wanted(nm_profile_kind, nm_profile_path(name));
  const auto* network = scene.plan.wanted(networkd_file_kind, networkd_path(name, ".network"));
  return (profile != nullptr && *profile) || (network != nullptr && *network) || is_told_to_netplan(scene, name);
}

// The kernel would take it with its addresses, and send nothing from them any more.
std::string why_unfit(const Scene& scene, const LinkId& id, const Link& port, const Link* bond) {
  const Link* master = port.master == 0 ? nullptr : scene.snapshot.link(port.master);
  if (master != nullptr && master != bond && !leaves(scene, id, *master))
    return fmt::format("{} is a port of {} already: take it out there (ip link set {} nomaster)", port.name,
                       master->name, port.name);
  for (const auto& address : scene.snapshot.addresses(port.index)) {
    const bool stays = !is_link_local(address.value.address) && !is_going(scene, id, address);
    if (stays && master == nullptr && !has_file(scene, id))
      return fmt::format(
          "{} has the address {}, and the port of a bond has none: give the address to the bond, and take "
          "it off the port",
          port.name, to_text(address.value));
  }
  return {};
}

void judge_port(const Scene& scene, const LinkId& id, const Link* bond, Ports& ports) {
  if (const Link* port = find_link(scene.snapshot, id)) {
    const std::string why = why_unfit(scene, id, *port, bond);
    if (why.empty()) return ports.usable.push_back(id);
    if (ports.unfit.empty()) ports.unfit = why;
    return;
  }
  const std::string key = to_text(id);
  const auto* wanted = scene.plan.wanted(ipoib_link_kind, key);
  const Gap gap = wanted != nullptr && *wanted ? ipoib_link_gap(scene, key, &**wanted, Absent{}) : Gap{};
  if (gap.move) {
    ports.usable.push_back(id);
  } else if (!gap.after.empty()) {
    ports.after = gap.after;
  } else {
    ports.missing.push_back(name_of(scene, id));
  }
}

// The mode that a port of this bond will have; nullopt: it is not known, as of a port that comes with a step.
std::optional<IpoibMode> mode_of(const Scene& scene, const LinkId& id) {
  const auto* wanted = scene.plan.wanted(ipoib_link_kind, to_text(id));
  if (wanted != nullptr && *wanted && (*wanted)->as<IpoibLink>().mode) return (*wanted)->as<IpoibLink>().mode;
  const Link* link = find_link(scene.snapshot, id);
  return link != nullptr && link->ipoib ? link->ipoib->mode : std::nullopt;
}

// The bond sends in the mode of its active port, and with one MTU.
std::string why_unlike(const Scene& scene, const std::vector<LinkId>& ports) {
  const LinkId* first = nullptr;
  for (const LinkId& port : ports) {
    if (!mode_of(scene, port)) continue;
    if (first == nullptr) first = &port;
    if (mode_of(scene, port) != mode_of(scene, *first))
      return fmt::format(
          "{} has mode {} and {} has mode {}, and the ports of a bond have the same: give both records of ipoib a mode",
          name_of(scene, *first), to_text(*mode_of(scene, *first)), name_of(scene, port),
          to_text(*mode_of(scene, port)));
  }
  return {};
}

// Whether the interface is in that bond already.
bool is_port(const Scene& scene, const LinkId& id, const Link& bond) {
  const Link* link = find_link(scene.snapshot, id);
  return link != nullptr && link->master == bond.index;
}

Ports judge_ports(const Scene& scene, const BondLink& wanted, const Link* bond) {
  Ports ports;
  for (const LinkId& id : wanted.ports) judge_port(scene, resolve(scene.snapshot, id), bond, ports);
  std::sort(ports.usable.begin(), ports.usable.end());
  const bool joins = std::any_of(ports.usable.begin(), ports.usable.end(),
                                 [&](const LinkId& id) { return bond == nullptr || !is_port(scene, id, *bond); });
  if (ports.unfit.empty() && joins) ports.unfit = why_unlike(scene, ports.usable);
  return ports;
}

// Why the bond that is there, made by others, cannot become the wanted one; empty: it can.
std::string why_foreign(const Snapshot& snapshot, const Link& bond) {
  if (bond.bond->mode != BondMode::active_backup)
    return fmt::format(
        "{} is there with mode {}, and the kernel changes no mode while a bond has ports: remove it "
        "(ip link del {}), or choose another name",
        bond.name, to_text(bond.bond->mode), bond.name);
  for (const Link* port : snapshot.links())
    if (port->master == bond.index && !port->is_ipoib())
      return fmt::format("{} is there with the port {}, which is no IPoIB interface: choose another name", bond.name,
                         port->name);
  return {};
}

Gap blocked(std::string sentence, bool for_good) {
  Gap gap;
  gap.blocked = std::move(sentence);
  if (for_good) gap.never.emplace();
  return gap;
}

// The wanted state with the ports that can be had now. A primary that is missing is as if none were wanted.
BondLink wanted_now(const Scene& scene, const BondLink& wanted, const Ports& ports) {
  BondLink to = wanted;
  to.ports = ports.usable;
  if (!to.primary) return to;
  const LinkId primary = resolve(scene.snapshot, *to.primary);
  to.primary.reset();
  if (std::find(to.ports.begin(), to.ports.end(), primary) != to.ports.end()) to.primary = primary;
  return to;
}

Gap with_ports(const Scene& scene, const State& wanted, const State* present, const Ports& ports) {
  const BondLink now = wanted_now(scene, wanted.as<BondLink>(), ports);
  BondLink to = present == nullptr ? as_created(now) : laid_over(present->as<BondLink>(), now);
  to.primary = now.primary;
  Gap gap;
  if (!ports.missing.empty()) {
    gap.pending = {fmt::format("{} does without {}, which is not there: it joins at the next apply once it is",
                               to.name.value, fmt::join(ports.missing, ", ")),
                   Until::hardware};
    gap.comes_late = true;
  }
  if (present != nullptr && present->as<BondLink>() == to) return gap;
  gap.move = Gap::Move{present == nullptr ? std::nullopt : std::optional(*present), State(bond_kind, std::move(to))};
  return gap;
}

Gap made(const Scene& scene, const State& wanted, const State* present) {
  const auto& asked = wanted.as<BondLink>();
  if (Gap gap = gap_of_bond_name(scene.snapshot, asked.name.value); !gap.blocked.empty()) return gap;
  const Link* holder = scene.snapshot.link(asked.name.value);
  const Ports ports = judge_ports(scene, asked, holder);
  if (!ports.unfit.empty()) return blocked(ports.unfit, false);
  if (!ports.after.empty()) {
    Gap gap;
    gap.after = ports.after;
    return gap;
  }
  if (!ports.usable.empty()) return with_ports(scene, wanted, present, ports);
  Gap gap = blocked(fmt::format("none of its ports is there: {}", fmt::join(ports.missing, ", ")), false);
  gap.comes_late = true;
  return gap;
}

}  // namespace

Gap gap_of_bond_name(const Snapshot& snapshot, const std::string& name) {
  const Link* holder = snapshot.is_tree() ? nullptr : snapshot.link(name);
  if (holder == nullptr) return {};
  if (!holder->bond)
    return blocked(fmt::format("another interface is called {}: choose another name", name), /*for_good=*/true);
  return blocked(why_foreign(snapshot, *holder), /*for_good=*/false);
}

Gap bond_gap(const Scene& scene, const std::string&, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted != nullptr) return made(scene, *wanted, present);
  Gap gap;
  if (present != nullptr) gap.move = Gap::Move{*present, std::nullopt};
  return gap;
}

}  // namespace rdmastate
