// SPDX-License-Identifier: Apache-2.0
#include "resources/loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/one_of.hpp"
#include "host/snapshot.hpp"
#include "platform/nfs.hpp"

namespace rdmastate {
namespace {

// What the kernel opens on every device for its own management, and what IPoIB itself has open.
constexpr std::array<std::string_view, 6> infrastructure{"ib_core", "ib_mad", "ib_sa", "ib_cm", "iw_cm", "ib_ipoib"};

// What one process or kernel module has open on a device.
struct OpenThings {
  std::size_t pairs = 0;
  std::size_t connections = 0;
};

void add_count(std::string& text, std::size_t count, std::string_view noun) {
  if (count != 0) text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, noun, count == 1 ? "" : "s");
}

std::string owner_text(std::uint32_t pid, const std::string& command, const OpenThings& open) {
  std::string things = pid == 0 ? std::string() : command;
  add_count(things, open.pairs, "queue pair");
  add_count(things, open.connections, "connection id");
  return pid == 0 ? fmt::format("the kernel's {} ({})", command, things) : fmt::format("process {} ({})", pid, things);
}

}  // namespace

std::uint32_t Loss::link() const {
  if (!links.empty()) return links.front();
  if (!addresses.empty()) return addresses.front().link;
  return routes.empty() ? 0 : routes.front().link;
}

std::string rdma_device_of(const Snapshot& snapshot, const Link& link) {
  if (!link.is_ipoib() || link.port_guid().value == 0) return {};
  for (const auto& device : snapshot.devices())
    for (const auto& port : device.ports)
      if (port.guid == link.port_guid()) return device.name;
  return {};
}

std::vector<std::string> owners_of(const std::vector<RdmaUser>& users) {
  std::map<std::pair<std::uint32_t, std::string>, OpenThings> owners;
  for (const auto& user : users) {
    const bool is_infrastructure =
        user.pid == 0 && std::find(infrastructure.begin(), infrastructure.end(), user.command) != infrastructure.end();
    if (is_infrastructure) continue;
    auto& open = owners[{user.pid, user.command}];
    ++(user.what == RdmaUser::What::queue_pair ? open.pairs : open.connections);
  }
  std::vector<std::string> texts;
  for (const auto& [who, open] : owners) texts.push_back(owner_text(who.first, who.second, open));
  return texts;
}

namespace {

template <class List, class Value>
void add(List& list, const Value& value) {
  if (!is_one_of(value, list)) list.push_back(value);
}

// Whether `other` goes down with `link`, or loses what carries it: its child, a port of the bond that it is, and the
// bond that it is a port of. Whether another port would carry that bond on, only a look at the fabric could tell.
bool goes_with(const Link& other, const Link& link) {
  const bool is_port = link.is_bond() && other.master == link.index;
  const bool is_bond = other.is_bond() && link.master == other.index;
  return (!link.is_child() && other.parent == link.index) || is_port || is_bond;
}

}  // namespace

Loss loss_of_link(const Snapshot& snapshot, const Link* link) {
  Loss loss;
  if (link == nullptr || !link->up) return loss;
  loss.links.push_back(link->index);
  const auto add_those = [&](const Link& gone) {
    for (const Link* other : snapshot.links())
      if (goes_with(*other, gone)) add(loss.links, other->index);
  };
  add_those(*link);
  // A child of this port may be a port of a bond, and the ports of a bond have children.
  for (std::size_t i = 1; i < loss.links.size(); ++i)
    if (const Link* next = snapshot.link(loss.links[i]); next != nullptr && next->master != 0) add_those(*next);
  for (const std::uint32_t index : loss.links)
    if (const Link* gone = snapshot.link(index))
      if (const std::string device = rdma_device_of(snapshot, *gone); !device.empty()) add(loss.devices, device);
  return loss;
}

void add_loss_of_link(const Snapshot& snapshot, const Link* link, Loss& loss) {
  const Loss more = loss_of_link(snapshot, link);
  for (const std::uint32_t one : more.links) add(loss.links, one);
  for (const auto& device : more.devices) add(loss.devices, device);
}

std::vector<std::string> nfs_client_texts(const Snapshot& snapshot) {
  std::vector<std::string> texts;
  for (const auto& client : snapshot.nfs_clients())
    texts.push_back(fmt::format("NFS client {}{}{}{}", client.address, client.name.empty() ? "" : " (", client.name,
                                client.name.empty() ? "" : ")"));
  return texts;
}

Loss loss_of_service(const Snapshot& snapshot, const std::string& unit) {
  Loss loss;
  loss.services.push_back(unit);
  if (unit != nfs_server_unit) return loss;
  loss.users = nfs_client_texts(snapshot);
  const NfsdState* nfsd = snapshot.nfsd();
  if (!loss.users.empty() && nfsd != nullptr && nfsd->grace != 0)
    loss.users.push_back(
        fmt::format("NFS clients wait up to {} s after the start (grace period of NFS 4)", nfsd->grace));
  return loss;
}

}  // namespace rdmastate
