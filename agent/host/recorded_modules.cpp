// SPDX-License-Identifier: Apache-2.0
#include "host/recorded_modules.hpp"

#include <cerrno>

#include "host/recorded_kernel.hpp"

namespace rdmastate {
namespace {

constexpr const char* ipoib = "ib_ipoib";
constexpr const char* rxe = "rdma_rxe";
constexpr const char* siw = "siw";

void create_port_links(HostModel& model) {
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::infiniband) kernel::create_port_link(model, port);
}

ModuleStatus status_of(const HostModel& model, const std::string& name) {
  if (model.modules.builtin.contains(name)) return ModuleStatus::builtin;
  if (model.modules.loaded.contains(name)) return ModuleStatus::loaded;
  return model.modules.loadable.contains(name) ? ModuleStatus::loadable : ModuleStatus::missing;
}

void remove_port_links(HostModel& model) {
  std::vector<std::uint32_t> parents;
  for (const auto& [index, link] : model.links)
    if (link.link.is_ipoib() && !link.link.is_child()) parents.push_back(index);
  for (const std::uint32_t index : parents) kernel::unregister(model, index);
}

}  // namespace

// What is loaded already is loaded, and a builtin one too: modprobe succeeds.
void kernel::insert_module(HostModel& model, const std::string& name) {
  const ModuleStatus status = status_of(model, name);
  if (status == ModuleStatus::missing) throw Refusal{ENOENT};
  if (status != ModuleStatus::loadable) return;
  if (const auto needed = model.modules.depends.find(name); needed != model.modules.depends.end())
    for (const auto& other : needed->second) insert_module(model, other);
  model.modules.loaded.insert(name);
  if (name == ipoib) create_port_links(model);
}

std::string KernelModules::resolved(const ModuleName& module) const {
  const auto alias = model_.modules.aliases.find(module.value);
  return alias == model_.modules.aliases.end() ? module.value : alias->second;
}

ModuleStatus KernelModules::status_of(const std::string& name) const { return rdmastate::status_of(model_, name); }

std::uint32_t KernelModules::users_of(const std::string& name) const {
  const auto held = model_.modules.in_use.find(name);
  std::uint32_t users = held == model_.modules.in_use.end() ? 0 : held->second;
  for (const auto& [user, needed] : model_.modules.depends)
    if (needed.contains(name) && model_.modules.loaded.contains(user)) ++users;
  return users;
}

ModuleStatus KernelModules::status(const ModuleName& module) {
  ++log_.reads.modules;
  return status_of(resolved(module));
}

std::uint32_t KernelModules::users(const ModuleName& module) {
  ++log_.reads.modules;
  return users_of(resolved(module));
}

void KernelModules::load(const ModuleName& module) {
  log_.move("loading module " + module.value, [&] { kernel::insert_module(model_, resolved(module)); });
}

// delete_module(2): ENOENT for what is not loaded (a builtin one is not), EWOULDBLOCK while in use.
void KernelModules::unload(const ModuleName& module) {
  log_.move("unloading module " + module.value, [&] {
    const std::string name = resolved(module);
    if (status_of(name) != ModuleStatus::loaded) throw Refusal{ENOENT};
    if (users_of(name) != 0) throw Refusal{EWOULDBLOCK};
    model_.modules.loaded.erase(name);
    model_.modules.loadable.insert(name);
    if (name == ipoib) remove_port_links(model_);
    if (name == "rdma_cm") kernel::forget_roce_defaults(model_);
    if (name == rxe) kernel::drop_soft_devices(model_, SoftType::rxe);
    if (name == siw) kernel::drop_soft_devices(model_, SoftType::siw);
  });
}

}  // namespace rdmastate
