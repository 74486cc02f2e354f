// SPDX-License-Identifier: Apache-2.0
// Refuses steps that would break queue pairs, connections, mounts or sessions that are in use. guard_users() judges a
// step that removes an RDMA device, guard_connections() all steps that take interfaces, addresses or routes away.
#include <fmt/format.h>

#include <set>

#include "plan/interrupts.hpp"

namespace rdmastate {
namespace {

// What --in-use has to name for this loss: the RDMA device, or the interface where there is none; empty: neither.
std::string given_up_by(const Snapshot& snapshot, const Loss& loss) {
  if (!loss.devices.empty()) return loss.devices.front();
  const Link* link = snapshot.link(loss.link());
  if (link == nullptr) return {};
  std::string device = rdma_device_of(snapshot, *link);
  return device.empty() ? link->name : device;
}

bool waits_for_processes(const Loss& loss, const std::vector<RdmaUser>& users) {
  return loss.waits_for_users &&
         std::any_of(users.begin(), users.end(), [](const RdmaUser& user) { return user.pid != 0; });
}

// --in-use does not allow this: a user who is cut off cannot take the run back. With --confirm-within a timer does.
void guard_session(const PlanOptions& options, const std::vector<std::string>& sessions, const Item& item, Plan& plan) {
  if (sessions.empty() || options.confirm_within != 0) return;
  plan.refuse(
      item, "--confirm-within",
      fmt::format(
          "{} would interrupt {}: --confirm-within 60s does it, and takes the run back unless you confirm that the host can "
          "still be reached",
          item.title(), fmt::join(sessions, ", ")));
}

// Names the connections that a step interrupts, and refuses the step unless --in-use allows it. `named` holds those
// that an earlier step has named: only a step that takes interfaces down names them again.
void guard_traffic(const Snapshot& snapshot, const PlanOptions& options, Item& item, Plan& plan,
                   std::set<const Connection*>& named) {
  std::vector<std::string> owners;
  std::vector<std::string> sessions;
  for (const auto& [connection, link] : interrupted_by(snapshot, item.loss)) {
    const bool is_new = named.insert(connection).second;
    if (!is_new && item.loss.links.empty()) continue;
    auto& list = connection->what == Connection::What::session ? sessions : owners;
    list.push_back(fmt::format("{} over {}", connection_text(*connection), link->name));
  }
  for (const auto* list : {&owners, &sessions}) item.touches.insert(item.touches.end(), list->begin(), list->end());
  guard_session(options, sessions, item, plan);
  if (owners.empty()) return;
  const std::string device = given_up_by(snapshot, item.loss);
  if (options.in_use.contains(device)) return;
  plan.refuse(item, "--in-use " + device,
              fmt::format("{} would interrupt {}: end it or take it elsewhere first, or let --in-use {} "
                          "interrupt it",
                          item.title(), fmt::join(owners, ", "), device));
}

// Nobody may be allowed this: a virtual machine would lose its device, or the kernel wait for it for ever.
void guard_holders(Item& item, Plan& plan) {
  if (item.loss.holders.empty()) return;
  item.touches.insert(item.touches.end(), item.loss.holders.begin(), item.loss.holders.end());
  plan.refuse(item, /*allowed_by=*/"",
              fmt::format("{} would take virtual functions from who has them: {}; end that first", item.title(),
                          fmt::join(item.loss.holders, ", ")));
}

// Refuses a step that takes the device from who has something open on it.
void guard_users_of(const Snapshot& snapshot, const PlanOptions& options, const std::string& device, Item& item,
                    Plan& plan) {
  const auto users = snapshot.users(device);
  const auto owners = owners_of(users);
  item.touches.insert(item.touches.end(), owners.begin(), owners.end());
  if (waits_for_processes(item.loss, users)) {
    plan.refuse(
        item, /*allowed_by=*/"",
        fmt::format(
            "{} would hang: the kernel removes {} only when the processes that have it open have ended: {}; end them first",
            item.title(), device, fmt::join(owners, ", ")));
    return;
  }
  if (owners.empty() || options.in_use.contains(device)) return;
  plan.refuse(
      item, "--in-use " + device,
      fmt::format("{} would break what others have open on {}: {}; end that first, or allow it with --in-use {}",
                  item.title(), device, fmt::join(owners, ", "), device));
}

}  // namespace

// Steps that take interfaces down come first: an address that goes with its interface then has nothing new to name.
void guard_connections(const Snapshot& snapshot, const PlanOptions& options, Plan& plan) {
  std::set<const Connection*> named;
  for (const bool takes_links_down : {true, false})
    for (const std::size_t step : plan.steps)
      if (Item& item = plan.items[step]; item.loss.links.empty() != takes_links_down)
        guard_traffic(snapshot, options, item, plan, named);
}

void guard_users(const Snapshot& snapshot, const PlanOptions& options, Item& item, Plan& plan) {
  guard_holders(item, plan);
  for (const auto& device : item.loss.devices) guard_users_of(snapshot, options, device, item, plan);
}

}  // namespace rdmastate
