// SPDX-License-Identifier: Apache-2.0
// Who configures this host's interfaces, and why.
#include "sections/network/backend.hpp"

#include <fmt/format.h>

namespace rdmastate {
namespace {

bool is_here(const Manager* manager) { return manager != nullptr && (manager->running || manager->enabled); }

// A daemon that runs or will.
std::optional<BackendChoice> daemon_choice(const Facts& facts, Backend backend) {
  const Manager* manager = facts.manager(to_text(backend));
  if (!is_here(manager)) return std::nullopt;
  return BackendChoice{backend, fmt::format("it {} ({})", manager->running ? "runs" : "is enabled", manager->evidence)};
}

// A program that reads files at boot.
std::optional<BackendChoice> files_choice(const Facts& facts, Backend backend) {
  const Manager* manager = facts.manager(to_text(backend));
  if (!is_here(manager)) return std::nullopt;
  if (backend == Backend::netplan)
    return BackendChoice{backend, fmt::format("it has files here ({}), for {}", manager->evidence,
                                              facts.netplan_renderer == "networkd" ? "networkd" : "NetworkManager")};
  return BackendChoice{backend, fmt::format("{} names an interface, and no other owner runs", manager->evidence)};
}

// What would move the same interfaces behind our back, and has no back end in this version.
void refuse_owner(const Manager& owner, Report& report) {
  complain(report, "network.backend",
           fmt::format("{} {} on this host ({}), and this version has no back end for it", owner.name,
                       owner.running ? "runs" : "is enabled", owner.evidence),
           "network: {backend: none} lets rdmastate move the interfaces itself, where that program leaves them alone");
}

}  // namespace

std::optional<BackendChoice> choose_backend(const Spec& spec, const Facts& facts, Report& report) {
  if (spec.backend() != Backend::automatic) return BackendChoice{spec.backend(), ""};
  if (auto choice = files_choice(facts, Backend::netplan)) return choice;
  for (const Backend daemon : {Backend::networkmanager, Backend::networkd})
    if (auto choice = daemon_choice(facts, daemon)) return choice;
  if (const Manager* wicked = facts.manager("wicked"); is_here(wicked) && !spec.ipoib.empty()) {
    refuse_owner(*wicked, report);
    return std::nullopt;
  }
  if (auto choice = files_choice(facts, Backend::ifupdown)) return choice;
  return BackendChoice{Backend::none, "nobody else configures interfaces here"};
}

}  // namespace rdmastate
