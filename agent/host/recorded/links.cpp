// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/links.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "base/fields_overlay.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate {

std::size_t RecordedLinks::count() {
  ++log_.reads.counts;
  return model_.links.size();
}

std::vector<Link> RecordedLinks::dump() {
  ++log_.reads.dumps;
  std::vector<Link> links;
  links.reserve(model_.links.size());
  for (const auto& [index, one] : model_.links) links.push_back(one.link);
  return links;
}

std::optional<Link> RecordedLinks::find(const std::string& name) {
  ++log_.reads.finds;
  const RecordedLink* found = model_.find(name);
  if (found == nullptr) return std::nullopt;
  return found->link;
}

std::vector<Address> RecordedLinks::addresses(std::uint32_t link) {
  ++log_.reads.addresses;
  std::vector<Address> found;
  for (const Address& one : model_.addresses)
    if (link == 0 || one.link == link) found.push_back(one);
  return found;
}

std::vector<Route> RecordedLinks::routes(std::uint32_t link) {
  ++log_.reads.routes;
  std::vector<Route> found;
  for (const Route& one : model_.routes)
    if (link == 0 || one.link == link) found.push_back(one);
  return found;
}

std::string RecordedLinks::name_of(std::uint32_t index) const {
  const auto found = model_.links.find(index);
  return found == model_.links.end() ? fmt::format("interface {}", index) : found->second.link.name;
}

template <class Effect>
void RecordedLinks::move(const Link& link, std::string doing, Effect&& effect) {
  log_.move(std::move(doing), [&] {
    RecordedLink* present = model_.find(link.index);
    if (present == nullptr) throw Refusal{ENODEV};
    effect(*present);
  });
}

void RecordedLinks::create(const NewIpoib& wanted) {
  log_.move(fmt::format("creating {} on {} with P_Key {}", wanted.name, name_of(wanted.parent), to_text(wanted.pkey)),
            [&] { kernel::create_child(model_, wanted); });
}

void RecordedLinks::change(const Link& link, const LinkChange& change) {
  const std::string name = name_of(link.index);
  const auto take = [&](bool up) {
    move(link, fmt::format("taking {} {}", name, up ? "up" : "down"),
         [&](RecordedLink& one) { kernel::set_up(model_, one, up); });
  };
  if (change.up == false) take(/*up=*/false);
  // One message for each setting that has a value.
  each_optional<IpoibSettings>([&](const auto& field) {
    const auto& value = change.*(field.member);
    if (!value) return;
    IpoibSettings one;
    one.*(field.member) = value;
    move(link, fmt::format("setting the {} of {} to {}", field.name, name, to_text(*value)),
         [&](RecordedLink& there) { kernel::set(model_, there, one); });
  });
  if (change.mtu)
    move(link, fmt::format("setting the MTU of {} to {}", name, *change.mtu),
         [&](RecordedLink& one) { kernel::set_mtu(model_, one, *change.mtu); });
  if (change.name)
    move(link, fmt::format("renaming {} to {}", name, *change.name),
         [&](RecordedLink& one) { kernel::rename(model_, one, *change.name); });
  if (change.ipv6)
    move(link, fmt::format("setting IPv6 of {} to {}", name, to_text(*change.ipv6)),
         [&](RecordedLink& one) { kernel::set_ipv6(model_, one, *change.ipv6); });
  if (change.up == true) take(/*up=*/true);
}

void RecordedLinks::create(const NewBond& wanted) {
  log_.move("creating the bond " + wanted.name, [&] { kernel::create_bond(model_, wanted); });
}

void RecordedLinks::change(const Link& bond, const BondChange& change) {
  move(bond, "setting options of the bond " + name_of(bond.index),
       [&](RecordedLink& there) { kernel::set_bond(model_, there, change); });
}

void RecordedLinks::set_master(const Link& port, std::uint32_t bond) {
  const std::string name = name_of(port.index);
  move(port,
       bond != 0 ? fmt::format("making {} a port of {}", name, name_of(bond)) : "taking " + name + " out of its bond",
       [&](RecordedLink& there) { kernel::set_master(model_, there, bond); });
}

void RecordedLinks::remove(const Link& link) {
  log_.move("removing " + name_of(link.index), [&] { kernel::remove(model_, link); });
}

void RecordedLinks::add(const Address& address) {
  log_.move(fmt::format("adding {} to {}", to_text(address.value), name_of(address.link)),
            [&] { kernel::add(model_, address); });
}

void RecordedLinks::remove(const Address& address) {
  log_.move(fmt::format("removing {} from {}", to_text(address.value), name_of(address.link)),
            [&] { kernel::remove(model_, address); });
}

void RecordedLinks::add(const Route& route) {
  log_.move(fmt::format("adding the route to {} by {}", to_text(route.to), name_of(route.link)),
            [&] { kernel::add(model_, route); });
}

void RecordedLinks::remove(const Route& route) {
  log_.move(fmt::format("removing the route to {} by {}", to_text(route.to), name_of(route.link)),
            [&] { kernel::remove(model_, route); });
}

std::vector<VfSettings> RecordedLinks::vf_settings(const Link& link) { return kernel::vf_settings(model_, link); }

void RecordedLinks::change_vf(const Link& link, std::uint32_t number, const VfSettings& settings) {
  log_.move(fmt::format("setting virtual function {} of {}", number, name_of(link.index)),
            [&] { kernel::change_vf(model_, link, number, settings); });
}

}  // namespace rdmastate
