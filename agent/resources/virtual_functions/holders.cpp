// SPDX-License-Identifier: Apache-2.0
// Who has a virtual function: a driver that gives it to a virtual machine or a program, another network namespace, who
// has its RDMA device open, or an interface of it that is up.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "resources/virtual_functions/virtual_functions.hpp"

namespace rdmastate {
namespace {

// Parts of the names of drivers that give a function to a virtual machine or a program.
constexpr std::array<std::string_view, 4> passing_on{"vfio", "uio", "pci-stub", "pciback"};

bool passes_on(const std::string& driver) {
  return std::any_of(passing_on.begin(), passing_on.end(),
                     [&](std::string_view part) { return driver.find(part) != std::string::npos; });
}

const RdmaDevice* device_at(const Snapshot& snapshot, const std::string& pci) {
  const auto& all = snapshot.devices();
  const auto found = std::find_if(all.begin(), all.end(), [&](const RdmaDevice& one) { return one.pci == pci; });
  return found == all.end() ? nullptr : &*found;
}

// Whether it has the physical function's driver and shows here less than that function does: the rest is in another
// network namespace. With a port GUID of 0 nobody can use it.
bool is_elsewhere(const Snapshot& snapshot, const RdmaDevice& physical, const VirtualFunction& function) {
  if (function.driver.empty() || function.driver != physical.driver) return false;
  const RdmaDevice* device = device_at(snapshot, function.pci);
  if (device == nullptr) return snapshot.netns_mode() == NetnsMode::exclusive;
  if (device->ports.empty() || device->ports.front().guid.value == 0 || !function.netdevs.empty()) return false;
  return telling_link(snapshot, physical, {physical.ports.front().number}) != nullptr;
}

void add_open(const Snapshot& snapshot, const VirtualFunction& function, std::vector<std::string>& holders) {
  const RdmaDevice* device = device_at(snapshot, function.pci);
  if (device == nullptr) return;
  for (const auto& owner : owners_of(snapshot.users(device->name)))
    holders.push_back(fmt::format("{} on {}", owner, device->name));
}

void add_up(const Snapshot& snapshot, const VirtualFunction& function, std::vector<std::string>& holders) {
  for (const auto& name : function.netdevs)
    if (const Link* link = snapshot.link(name))
      for (const Link* one : snapshot.links())
        if (one->up && (one->index == link->index || one->parent == link->index))
          holders.push_back(fmt::format("{} is up", one->name));
}

}  // namespace

std::vector<std::string> holders_of(const Snapshot& snapshot, const RdmaDevice& device,
                                    const std::vector<VfNumber>& numbers) {
  std::vector<std::string> holders;
  const auto sriov = numbers.empty() ? std::nullopt : snapshot.sriov(device.pci);
  if (!sriov) return holders;
  for (const VfNumber number : numbers) {
    if (number.value >= sriov->functions.size()) continue;
    const VirtualFunction& function = sriov->functions[number.value];
    if (passes_on(function.driver))
      holders.push_back(fmt::format("{} has virtual function {} ({})", function.driver, number.value, function.pci));
    if (is_elsewhere(snapshot, device, function))
      holders.push_back(
          fmt::format("virtual function {} ({}) is in another network namespace", number.value, function.pci));
    add_open(snapshot, function, holders);
    add_up(snapshot, function, holders);
  }
  return holders;
}

}  // namespace rdmastate
