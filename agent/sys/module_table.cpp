// SPDX-License-Identifier: Apache-2.0
// All modules of the running kernel, from depmod's lists and /sys/module (modules.dep(5), sysfs(5)): what a record of
// this host keeps (Modules::table()).
#include <algorithm>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "sys/modules.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t longest_list = 16U << 20U;  // the most bytes that are read of one file

// "kernel/drivers/infiniband/ulp/ipoib/ib_ipoib.ko.xz": the name, as the kernel spells it.
std::string module_of(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  std::string name(path.substr(0, path.find(".ko")));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Reads depmod's lists of the running kernel, then what is loaded.
class Lists {
 public:
  explicit Lists(const Root& root) : root_(root) {
    std::string release = text("/proc/sys/kernel/osrelease");
    directory_ = "/lib/modules/" + release.substr(0, release.find('\n')) + "/";
  }

  // Each line of modules.dep is a file, a colon, and the files of all that it needs.
  void read_files(ModuleTable& table) const {
    for_lines(text(directory_ + "modules.dep"), [&](std::string_view line) {
      const std::size_t colon = std::min(line.find(':'), line.size());
      auto& needed = table.depends[module_of(line.substr(0, colon))];
      for (const auto& path : words(line.substr(std::min(colon + 1, line.size())))) needed.insert(module_of(path));
    });
    for (const auto& [name, needed] : table.depends) table.loadable.insert(name);
    for_lines(text(directory_ + "modules.builtin"),
              [&](std::string_view line) { table.builtin.insert(module_of(line)); });
  }

  // Leaves out aliases that no spec names: of hardware ("pci:v000015B3..."), protocols ("net-pf-16-proto-20") and file
  // systems ("fs-nfs").
  void read_aliases(ModuleTable& table) const {
    for_lines(text(directory_ + "modules.alias"), [&](std::string_view line) {
      const auto parts = words(line);
      const bool is_alias = parts.size() == 3 && parts[0] == "alias";
      if (is_alias && parts[1].find_first_of(":*?[-") == std::string::npos) table.aliases.emplace(parts[1], parts[2]);
    });
  }

  // A directory without the file initstate is that of a module that is built in, unless modules.dep lists the module.
  void read_loaded(ModuleTable& table) const {
    for (const auto& name : root_.names("/sys/module")) {
      const std::string directory = "/sys/module/" + name;
      const auto state = root_.read(directory + "/initstate", longest_list);
      if (!state) {
        if (!table.loadable.contains(name)) table.builtin.insert(name);
      } else if (*state == "live\n") {
        table.loaded.insert(name);
        table.loadable.insert(name);
      }
    }
  }

 private:
  std::string text(const std::string& path) const { return root_.read(path, longest_list).value_or(""); }

  const Root& root_;
  std::string directory_;
};

// ib_core, the modules that need it, and all modules that those need.
std::set<std::string> modules_of_rdma(const ModuleTable& table) {
  std::set<std::string> found;
  for (const auto& [name, needed] : table.depends) {
    if (name != "ib_core" && !needed.contains("ib_core")) continue;
    found.insert(name);
    found.insert(needed.begin(), needed.end());
  }
  return found;
}

// What the kernel usually prints for a parameter of that type that no option sets.
std::string usual_value(const std::string& type) {
  if (type == "bool" || type == "invbool") return "N";
  return type == "charp" ? "(null)" : "0";
}

}  // namespace

// Adds one module's parameters: of a loaded module with their present values, also where an option set them. While it
// is not loaded their values are not known, and usual_value() stands for them.
void KmodModules::describe(const std::string& module, ModuleTable& table) {
  for (const auto& [name, type] : declared({module})) {
    const std::string key = module + "." + name;
    const auto now = table.loaded.contains(module) ? parameter({module}, {name}) : std::nullopt;
    table.parameters.emplace(key, now && now->value ? *now->value : usual_value(type));
    if (now && now->writable) table.writable.insert(key);
    if (now && !now->value) table.hidden.insert(key);
  }
  table.described->insert(module);
}

// Parameters and users are read of modules_of_rdma() alone: a record needs no others.
ModuleTable KmodModules::table() {
  ModuleTable table;
  const Lists lists(root_);
  lists.read_files(table);
  lists.read_aliases(table);
  lists.read_loaded(table);
  const auto rdma = modules_of_rdma(table);
  std::erase_if(table.depends, [&](const auto& one) { return one.second.empty() || !rdma.contains(one.first); });
  table.described.emplace();
  for (const auto& name : rdma) {
    try {
      describe(name, table);
    } catch (const SystemError& error) {
      if (!error.is_denied()) throw;  // only root may read them
    }
    if (!table.loaded.contains(name)) continue;
    const auto holders = root_.names("/sys/module/" + name + "/holders").size();  // modules, which users() counts too
    if (const std::uint32_t users_of_module = users({name}); users_of_module > holders)
      table.in_use.emplace(name, users_of_module - static_cast<std::uint32_t>(holders));
  }
  return table;
}

}  // namespace rdmastate
