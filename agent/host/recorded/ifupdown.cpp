// SPDX-License-Identifier: Apache-2.0
// up() is iface_up() of ifupdown's main.c, and down() its iface_down(), with the `up` and `down` of link.defn,
// inet.defn and inet6.defn.
#include "host/recorded/ifupdown.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view main_file = "/etc/network/interfaces";

bool is_read(const std::string& path) { return path == main_file || path.starts_with(std::string(main_file) + ".d/"); }

/// Makes "PARENT.8002" by PARENT's create_child, as link.defn does. Nothing where there is no such parent.
void make_child(HostModel& model, const std::string& name) {
  const RecordedLink* parent = model.find(ifupdown_parent(name));
  if (parent == nullptr || model.find(name) != nullptr) return;
  PKey pkey;
  const std::string digits = name.substr(name.find('.') + 1);
  if (Text<PKey>::read({"0x" + digits, /*plain=*/true}, pkey)) return;
  IpoibSettings datagram;
  datagram.mode = IpoibMode::datagram;
  kernel::create_child(model, {datagram, parent->link.index, name, pkey});
}

/// settle-dad.sh: without a carrier no address of IPv6 leaves its duplicate address detection.
void await_detection(const InterfaceStanzas& stanzas, const Link& link) {
  const auto& all = stanzas.addresses;
  const bool has_ipv6 =
      std::any_of(all.begin(), all.end(), [](const IpInterface& one) { return one.address.family == Family::v6; });
  if (has_ipv6 && !link.carrier) throw Error("ifup " + stanzas.name + ": Waiting for DAD... Timed out");
}

}  // namespace

bool RecordedIfupdown::is_here() {
  ++log_.reads.managers;
  return std::all_of(ifupdown_signs.begin(), ifupdown_signs.end(),
                     [&](std::string_view path) { return files_.stamp(std::string(path)).has_value(); });
}

std::map<std::string, std::string> RecordedIfupdown::held() const {
  const auto file = model_.files.find(std::string(ifstate_path));
  return file == model_.files.end() ? std::map<std::string, std::string>() : read_ifstate(file->second.bytes);
}

void RecordedIfupdown::hold(const std::string& interface, bool is_up) {
  auto now = held();
  if (!is_up) now.erase(interface);
  if (is_up) now.emplace(interface, interface);
  FileContent& file = model_.files[std::string(ifstate_path)];
  file.meta.mode = 0644;
  file.bytes.clear();
  for (const auto& [name, by] : now) file.bytes += name + "=" + by + "\n";
  add_parents(model_.files);
}

std::optional<InterfaceStanzas> RecordedIfupdown::stanzas(const std::string& interface) const {
  std::optional<InterfaceStanzas> all;
  for (const auto& [path, file] : model_.files) {
    if (!is_read(path)) continue;
    for (auto& one : read_interfaces_text(file.bytes)) {
      if (one.name != interface) continue;
      if (!all) all = InterfaceStanzas{interface, {}, {}, /*has_gateway=*/false};
      all->addresses.insert(all->addresses.end(), one.addresses.begin(), one.addresses.end());
    }
  }
  return all;
}

// Where ifup fails, with its parent or itself, what it did before stays.
void RecordedIfupdown::bring_up(const std::string& interface) {
  if (held().contains(interface)) return;
  const auto wanted = stanzas(interface);
  if (!wanted) throw Error("ifup " + interface + ": unknown interface " + interface);
  if (const std::string parent = ifupdown_parent(interface); stanzas(parent)) bring_up(parent);
  make_child(model_, interface);
  RecordedLink* link = model_.find(interface);
  if (link == nullptr) throw Error("ifup " + interface + ": Cannot find device \"" + interface + "\"");
  for (const auto& address : wanted->addresses) {
    Address one;
    one.link = link->link.index;
    one.value = address;
    kernel::add(model_, one);
    link = model_.find(interface);
  }
  if (!link->link.up) kernel::set_up(model_, *link, /*up=*/true);
  await_detection(*wanted, model_.find(interface)->link);
  hold(interface, /*is_up=*/true);
}

void RecordedIfupdown::take_down_children(const std::string& parent, bool force) {
  for (const auto& [name, by] : held())
    if (ifupdown_parent(name) == parent && stanzas(name)) take_down(name, force);
}

void RecordedIfupdown::take_down(const std::string& interface, bool force) {
  const bool is_held = held().contains(interface);
  if (!is_held && !force) return;
  take_down_children(interface, force);
  hold(interface, /*is_up=*/false);
  RecordedLink* link = model_.find(interface);
  if (!stanzas(interface) || link == nullptr) return;
  const std::uint32_t index = link->link.index;
  std::erase_if(model_.addresses, [&](const Address& one) { return one.link == index; });
  if (link->link.up) kernel::set_up(model_, *link, /*up=*/false);
  if (link->link.is_child()) kernel::unregister(model_, index);
}

void RecordedIfupdown::up(const std::string& interface) {
  log_.move("ifup " + interface, [&] { bring_up(interface); });
}

void RecordedIfupdown::down(const std::string& interface) {
  log_.move("ifdown " + interface, [&] { take_down(interface, /*force=*/false); });
}

void RecordedIfupdown::force_down(const std::string& interface) {
  log_.move("ifdown --force " + interface, [&] { take_down(interface, /*force=*/true); });
}

}  // namespace rdmastate
