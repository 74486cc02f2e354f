// SPDX-License-Identifier: Apache-2.0
#include "resources/rdma_system.hpp"

#include <fmt/format.h>

#include "host/recorded/model.hpp"

namespace rdmastate {
namespace {

// ib_core takes the mode from modprobe.d when it is loaded: while it is not, nothing differs.
Observation rdma_system_observe(const Snapshot& snapshot, const std::string&) {
  const auto mode = snapshot.netns_mode();
  if (!mode) return Absent{};
  return State(rdma_system_kind, RdmaSystemState{*mode});
}

// Why the mode cannot be changed now, as a sentence; empty: it can. The kernel answers EBUSY (rdma_compatdev_set()),
// for either direction, while any other network namespace exists.
std::string why_not_now(const Scene& scene, NetnsMode wanted) {
  const auto others = scene.snapshot.other_namespaces();
  if (others.empty()) return {};
  return fmt::format(
      "RDMA becomes {} at the next boot: the kernel changes that only while there is no other network namespace, and {} "
      "{} one (or stop them and apply again)",
      to_text(wanted), fmt::join(others, ", "), others.size() == 1 ? "has" : "have");
}

Gap rdma_system_gap(const Scene& scene, const std::string&, const State* wanted, const Observation& observed) {
  Gap gap;
  const State* present = state_of(observed);
  if (wanted == nullptr || present == nullptr || rdma_system_kind.equal(*present, *wanted)) return gap;
  gap.pending = {why_not_now(scene, wanted->as<RdmaSystemState>().netns), Until::reboot};
  if (gap.pending.empty()) gap.move = Gap::Move{*present, *wanted};
  return gap;
}

std::vector<Ref> rdma_system_needs(const std::string&, const State*) { return {}; }

void rdma_system_move(Tools& tools, const std::string&, const State*, const State* to) {
  if (to != nullptr) tools.host.rdma->set_netns_mode(to->as<RdmaSystemState>().netns);
}

std::string rdma_system_title(const std::string&, const State*) { return "network namespace mode"; }

void rdma_system_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  model.netns_mode = snapshot.netns_mode().value_or(NetnsMode::shared);
  model.other_namespaces = snapshot.other_namespaces();
}

}  // namespace

constinit const Kind rdma_system_kind = [] {
  Kind kind = kind_of<RdmaSystemState>("rdma_system");
  kind.rank = 21;  // after modules (20), before what stands on RDMA devices
  kind.observe = rdma_system_observe;
  kind.gap = rdma_system_gap;
  kind.needs = rdma_system_needs;
  kind.move = rdma_system_move;
  kind.title = rdma_system_title;
  kind.keep = rdma_system_keep;
  return kind;
}();

}  // namespace rdmastate
