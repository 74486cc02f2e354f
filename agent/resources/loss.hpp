// SPDX-License-Identifier: Apache-2.0
// What a step takes away from those who use it. By this alone plan/policy.cpp decides whether a plan refuses the step
// for the users' sake: for their sessions, mounts and storage, for who has a device open, for the default route, and
// for how much a run may disturb.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "host/links.hpp"
#include "host/rdma.hpp"

namespace rdmastate {

class Snapshot;

/// What moving a resource costs others, mildest first. `fabric` (other hosts notice it) has no place in this order.
enum class Disruption : std::uint8_t {
  none,
  link,     ///< interfaces go down or away, or lose addresses or routes; or a device is taken from its users
  service,  ///< units stop, or stop and start anew
  module,   ///< a driver is loaded anew. No Loss is that much: as --max-disruption it allows every Loss
  fabric,
};
template <>
struct Names<Disruption> {
  static constexpr std::string_view wanted = "none, link, service, module or fabric";
  static constexpr std::array table{
      Name<Disruption>{Disruption::none, "none"}, Name<Disruption>{Disruption::link, "link"},
      Name<Disruption>{Disruption::service, "service"}, Name<Disruption>{Disruption::module, "module"},
      Name<Disruption>{Disruption::fabric, "fabric"}};
};

/// What a step takes away from those who use it. All empty: nothing.
struct Loss {
  /// Interfaces that go down or away with all that is on them, by ifindex; the one that the step is about first.
  std::vector<std::uint32_t> links = {};
  bool rdma_alone = false;              ///< `links` stay; what uses RDMA over them is cut off
  std::vector<Address> addresses = {};  ///< that go from interfaces which stay up
  std::vector<Route> routes = {};       ///< that go from such interfaces, without those that go with an address
  /// The RDMA devices that are taken from their users, by their present names; several where `links` are on several.
  std::vector<std::string> devices = {};
  bool waits_for_users = false;  ///< the kernel removes `devices` only when every process has closed them
  /// Who has virtual functions that go, or are bound anew, as texts; no option allows that.
  std::vector<std::string> holders = {};

  std::vector<std::string> services = {};  ///< units that stop, or stop and start anew
  std::vector<std::string> users = {};     ///< who notices that `services` stop, as sentences
  bool is_nothing() const {
    return links.empty() && addresses.empty() && routes.empty() && devices.empty() && holders.empty() &&
           services.empty();
  }
  /// How much the loss disturbs this host: none, link or service.
  Disruption disruption() const {
    if (!services.empty()) return Disruption::service;
    return is_nothing() ? Disruption::none : Disruption::link;
  }
  /// The ifindex by which messages name the loss: of the first link, else address, else route. 0: there is none.
  std::uint32_t link() const;
  bool operator==(const Loss&) const = default;
};

/// The loss of an interface that goes down: itself, what is on it, and the RDMA devices that these are on. Empty
/// where `link` is nullptr or down already.
Loss loss_of_link(const Snapshot& snapshot, const Link* link);
/// Adds loss_of_link() to the loss of a step that takes several interfaces down.
void add_loss_of_link(const Snapshot& snapshot, const Link* link, Loss& loss);
/// The loss of a unit that stops or restarts; for the NFS server with its clients.
Loss loss_of_service(const Snapshot& snapshot, const std::string& unit);
/// The clients of the NFS server that have a lease, each as a sentence.
std::vector<std::string> nfs_client_texts(const Snapshot& snapshot);
/// Each process and kernel module that has something open, without the kernel's own RDMA modules: "process 812 (rping,
/// 1 queue pair)".
std::vector<std::string> owners_of(const std::vector<RdmaUser>& users);
/// The RDMA device whose port an IPoIB interface is on, by its present name; empty for other interfaces.
std::string rdma_device_of(const Snapshot& snapshot, const Link& link);

}  // namespace rdmastate
