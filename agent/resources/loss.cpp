// SPDX-License-Identifier: Apache-2.0
#include "resources/loss.hpp"

#include <fmt/format.h>

#include "host/snapshot.hpp"
#include "platform/nfs.hpp"

namespace rdmastate {

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

Loss loss_of_link(const Snapshot& snapshot, const Link* link) {
  Loss loss;
  if (link == nullptr || !link->up) return loss;
  loss.links.push_back(link->index);
  if (!link->is_child())  // a child has no interfaces on it
    for (const Link* other : snapshot.links())
      if (other->parent == link->index) loss.links.push_back(other->index);
  loss.device = rdma_device_of(snapshot, *link);
  return loss;
}

void add_loss_of_link(const Snapshot& snapshot, const Link* link, Loss& loss) {
  Loss more = loss_of_link(snapshot, link);
  for (const std::uint32_t one : more.links)
    if (std::find(loss.links.begin(), loss.links.end(), one) == loss.links.end()) loss.links.push_back(one);
  if (loss.device.empty()) loss.device = std::move(more.device);
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
