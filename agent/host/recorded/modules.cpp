// SPDX-License-Identifier: Apache-2.0
// First the functions of kernel.hpp that load a module, with what ib_ipoib does then; at the end RecordedModules.
#include "host/recorded/modules.hpp"

#include <cerrno>
#include <iterator>
#include <sstream>
#include <vector>

#include "host/install_line.hpp"
#include "host/parameter_value.hpp"
#include "host/recorded/kernel.hpp"

namespace rdmastate {
namespace {

constexpr const char* ipoib = "ib_ipoib";
constexpr const char* rxe = "rdma_rxe";
constexpr const char* siw = "siw";

ModuleStatus status_of(const HostModel& model, const std::string& name) {
  if (model.modules.builtin.contains(name)) return ModuleStatus::builtin;
  if (model.modules.loaded.contains(name)) return ModuleStatus::loaded;
  return model.modules.loadable.contains(name) ? ModuleStatus::loadable : ModuleStatus::missing;
}

// What ib_ipoib does when it is loaded; remove_port_links(): when it is unloaded.
void create_port_links(HostModel& model) {
  for (const auto& device : model.devices)
    for (const auto& port : device.ports)
      if (port.link_layer == LinkLayer::infiniband) kernel::create_port_link(model, port);
}

void remove_port_links(HostModel& model) {
  std::vector<std::uint32_t> parents;
  for (const auto& [index, link] : model.links)
    if (link.link.is_ipoib() && !link.link.is_child()) parents.push_back(index);
  for (const std::uint32_t index : parents) kernel::unregister(model, index);
}

// The further words of each line of /etc/modprobe.d/*.conf that begins with this command and module.
std::vector<std::vector<std::string>> modprobe_lines(const HostModel& model, const std::string& command,
                                                     const std::string& module) {
  std::vector<std::vector<std::string>> found;
  for (const auto& [path, file] : model.files) {
    if (!path.starts_with("/etc/modprobe.d/") || !path.ends_with(".conf")) continue;
    std::istringstream lines(file.bytes);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream text(line);
      const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
      if (words.size() > 2 && words[0] == command && words[1] == module)
        found.push_back({words.begin() + 2, words.end()});
    }
  }
  return found;
}

// modprobe runs the command of the first install line in place of loading the module. Whether that command loads
// nothing; then /bin/false fails, and /bin/true succeeds.
bool is_kept_away(const HostModel& model, const std::string& name) {
  const auto lines = modprobe_lines(model, "install", name);
  if (lines.empty() || !loads_nothing(lines.front().front())) return false;
  if (lines.front().front().ends_with("/false")) throw Refusal{EINVAL};
  return true;
}

// Notes a parameter's value in ModuleTable::given, unless it is the one that the module has without options. `key` is
// "MODULE.PARAMETER", which the table has.
void keep_given(HostModel& model, const std::string& key, const std::string& printed) {
  if (printed == model.modules.parameters.at(key))
    model.modules.given.erase(key);
  else
    model.modules.given[key] = printed;
}

}  // namespace

// A parameter that the module does not have is ignored, with a line in the kernel's log.
void kernel::give_options(HostModel& model, const std::string& name) {
  auto& modules = model.modules;
  for (const auto& words : modprobe_lines(model, "options", name))
    for (const auto& word : words) {
      const std::size_t equals = word.find('=');
      const std::string key = name + "." + word.substr(0, equals);
      const auto usual = modules.parameters.find(key);
      if (usual == modules.parameters.end() || equals == std::string::npos) continue;
      keep_given(model, key, printed_like(usual->second, word.substr(equals + 1)));
    }
}

// modprobe succeeds for a module that is loaded already or built in.
void kernel::insert_module(HostModel& model, const std::string& name) {
  const ModuleStatus status = status_of(model, name);
  if (status == ModuleStatus::missing) throw Refusal{ENOENT};
  if (status != ModuleStatus::loadable) return;
  if (is_kept_away(model, name)) return;
  if (const auto needed = model.modules.depends.find(name); needed != model.modules.depends.end())
    for (const auto& other : needed->second) insert_module(model, other);
  model.modules.loaded.insert(name);
  kernel::give_options(model, name);
  if (name == ipoib) create_port_links(model);
}

std::string RecordedModules::resolved(const ModuleName& module) const {
  const auto alias = model_.modules.aliases.find(module.value);
  return alias == model_.modules.aliases.end() ? module.value : alias->second;
}

ModuleStatus RecordedModules::status_of(const std::string& name) const { return rdmastate::status_of(model_, name); }

std::uint32_t RecordedModules::users_of(const std::string& name) const {
  const auto held = model_.modules.in_use.find(name);
  std::uint32_t users = held == model_.modules.in_use.end() ? 0 : held->second;
  for (const auto& [user, needed] : model_.modules.depends)
    if (needed.contains(name) && model_.modules.loaded.contains(user)) ++users;
  return users;
}

ModuleStatus RecordedModules::status(const ModuleName& module) {
  ++log_.reads.modules;
  return status_of(resolved(module));
}

std::uint32_t RecordedModules::users(const ModuleName& module) {
  ++log_.reads.modules;
  return users_of(resolved(module));
}

void RecordedModules::load(const ModuleName& module) {
  log_.move("loading module " + module.value, [&] { kernel::insert_module(model_, resolved(module)); });
}

// delete_module(2): ENOENT for what is not loaded (a builtin one is not), EWOULDBLOCK while in use.
void RecordedModules::unload(const ModuleName& module) {
  log_.move("unloading module " + module.value, [&] {
    const std::string name = resolved(module);
    if (status_of(name) != ModuleStatus::loaded) throw Refusal{ENOENT};
    if (users_of(name) != 0) throw Refusal{EWOULDBLOCK};
    model_.modules.loaded.erase(name);
    std::erase_if(model_.modules.given, [&](const auto& one) { return one.first.starts_with(name + "."); });
    model_.modules.loadable.insert(name);
    if (name == ipoib) remove_port_links(model_);
    if (name == "bonding") kernel::remove_bonds(model_);
    if (name == "rdma_cm") kernel::forget_roce_defaults(model_);
    if (name == rxe) kernel::drop_soft_devices(model_, SoftType::rxe);
    if (name == siw) kernel::drop_soft_devices(model_, SoftType::siw);
  });
}

// EACCES: the module is there, but the record does not describe its parameters.
std::optional<ModuleParameter> RecordedModules::parameter(const ModuleName& module, const ParameterName& name) {
  ++log_.reads.modules;
  const ModuleTable& table = model_.modules;
  const std::string real = resolved(module);
  const ModuleStatus status = status_of(real);
  const std::string key = real + "." + name.value;
  const auto usual = table.parameters.find(key);
  if (usual == table.parameters.end()) {
    const bool is_described = !table.described || table.described->contains(real);
    if (status != ModuleStatus::missing && !is_described)
      throw SystemError("looking at the parameters of module " + real, EACCES);
    return std::nullopt;
  }
  if (status != ModuleStatus::loaded && status != ModuleStatus::builtin) return ModuleParameter{};
  const bool writable = table.writable.contains(key);
  if (table.hidden.contains(key)) return ModuleParameter{std::nullopt, writable};
  const auto given = table.given.find(key);
  return ModuleParameter{given == table.given.end() ? usual->second : given->second, writable};
}

void RecordedModules::set_parameter(const ModuleName& module, const ParameterName& name, const std::string& value) {
  log_.move("setting the parameter " + name.value + " of module " + module.value, [&] {
    const auto now = parameter(module, name);
    if (!now || !now->value) throw Refusal{ENOENT};
    if (!now->writable) throw Refusal{EACCES};
    if (!takes_value(*now->value, value)) throw Refusal{EINVAL};
    const std::string key = resolved(module) + "." + name.value;
    keep_given(model_, key, printed_like(*now->value, value));
  });
}

}  // namespace rdmastate
