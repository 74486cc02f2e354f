// SPDX-License-Identifier: Apache-2.0
#include "sys/modules.hpp"

#include <fcntl.h>
#include <libkmod.h>
#include <sys/stat.h>
#include <syslog.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "sys/dynamic.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t largest_attribute = 64U << 10U;  // a page, whatever its size (sysfs_emit)

struct Kmod {
  DynamicLibrary library{"libkmod.so.2", "libkmod2 (Debian, Ubuntu, SUSE) or kmod-libs (RHEL)"};
  RDMASTATE_FUNCTION(library, kmod_new);
  RDMASTATE_FUNCTION(library, kmod_unref);
  RDMASTATE_FUNCTION(library, kmod_set_log_priority);
  RDMASTATE_FUNCTION(library, kmod_list_next);
  RDMASTATE_FUNCTION(library, kmod_module_new_from_lookup);
  RDMASTATE_FUNCTION(library, kmod_module_new_from_name);
  RDMASTATE_FUNCTION(library, kmod_module_get_module);
  RDMASTATE_FUNCTION(library, kmod_module_get_name);
  RDMASTATE_FUNCTION(library, kmod_module_get_initstate);
  RDMASTATE_FUNCTION(library, kmod_module_probe_insert_module);
  RDMASTATE_FUNCTION(library, kmod_module_remove_module);
  RDMASTATE_FUNCTION(library, kmod_module_get_info);
  RDMASTATE_FUNCTION(library, kmod_module_info_get_key);
  RDMASTATE_FUNCTION(library, kmod_module_info_get_value);
  RDMASTATE_FUNCTION(library, kmod_module_info_free_list);
  RDMASTATE_FUNCTION(library, kmod_module_unref);
  RDMASTATE_FUNCTION(library, kmod_module_unref_list);
};

const Kmod& kmod_functions() { return dynamic_table<Kmod>(); }

struct UnrefModule {
  void operator()(kmod_module* module) const noexcept { kmod_functions().kmod_module_unref(module); }
};
using Module = std::unique_ptr<kmod_module, UnrefModule>;

// From libkmod's KMOD_MODULE_*, or a negative errno: the module is not loaded.
ModuleStatus status_from(int initstate) {
  if (initstate == KMOD_MODULE_BUILTIN) return ModuleStatus::builtin;
  return initstate < 0 || initstate == KMOD_MODULE_COMING ? ModuleStatus::loadable : ModuleStatus::loaded;
}

}  // namespace

/// One reading of modprobe.d and of the module indexes of the running kernel.
class KmodContext {
 public:
  KmodContext() : context_(kmod_functions().kmod_new(nullptr, nullptr)) {
    if (!context_) throw SystemError("reading the kernel's module directory", errno == 0 ? ENOMEM : errno);
    kmod_functions().kmod_set_log_priority(context_.get(), LOG_CRIT);  // rdmastate reports what fails
  }

  /// The modules that a name or alias stands for, in modprobe's order; empty when there are none.
  std::vector<Module> lookup(const ModuleName& name) const {
    const Kmod& kmod = kmod_functions();
    kmod_list* list = nullptr;
    const int failed = kmod.kmod_module_new_from_lookup(context_.get(), name.value.c_str(), &list);
    // ENOSYS: libkmod 28 (Debian 11), where the running kernel has no directory of modules (a container). Seen there.
    if (failed < 0 && failed != -ENOENT && failed != -ENOSYS)
      throw SystemError("looking for the module " + name.value, -failed);
    std::vector<Module> modules;
    for (kmod_list* item = list; item != nullptr; item = kmod.kmod_list_next(list, item))
      modules.emplace_back(kmod.kmod_module_get_module(item));
    kmod.kmod_module_unref_list(list);
    return modules;
  }

  /// What modinfo -p would print: parameters, and their types where it tells them ("bool").
  std::map<std::string, std::string> parameters(const ModuleName& module) const {
    const Kmod& kmod = kmod_functions();
    const auto modules = lookup(module);
    std::map<std::string, std::string> found;
    kmod_list* list = nullptr;
    if (modules.empty() || kmod.kmod_module_get_info(modules.front().get(), &list) < 0) return found;
    for (kmod_list* item = list; item != nullptr; item = kmod.kmod_list_next(list, item)) {
      const std::string_view key = kmod.kmod_module_info_get_key(item);
      const std::string_view value = kmod.kmod_module_info_get_value(item);
      const std::size_t colon = std::min(value.find(':'), value.size());
      if (key == "parm") found.try_emplace(std::string(value.substr(0, colon)));
      if (key == "parmtype")
        found[std::string(value.substr(0, colon))] = value.substr(std::min(colon + 1, value.size()));
    }
    kmod.kmod_module_info_free_list(list);
    return found;
  }

  /// libkmod's object for a module's own name (no alias), whether there is such a module or not.
  Module by_name(const ModuleName& name) const {
    kmod_module* module = nullptr;
    const int failed = kmod_functions().kmod_module_new_from_name(context_.get(), name.value.c_str(), &module);
    if (failed < 0) throw SystemError("looking for the module " + name.value, -failed);
    return Module{module};
  }

 private:
  struct Unref {
    void operator()(kmod_ctx* context) const noexcept { kmod_functions().kmod_unref(context); }
  };
  std::unique_ptr<kmod_ctx, Unref> context_;
};

KmodModules::KmodModules(const Root& root) : root_(root) {}
KmodModules::~KmodModules() = default;

KmodContext& KmodModules::kmod() {
  if (!kmod_) kmod_ = std::make_unique<KmodContext>();
  return *kmod_;
}

/// A module that is built in has a directory only when it has parameters, and never an initstate.
ModuleStatus KmodModules::status(const ModuleName& module) {
  const std::string directory = "/sys/module/" + module.value;
  if (const auto state = root_.read(directory + "/initstate", 64))
    return *state == "live\n" ? ModuleStatus::loaded : ModuleStatus::loadable;
  if (root_.open(directory, O_PATH)) return ModuleStatus::builtin;
  const auto modules = kmod().lookup(module);
  if (modules.empty()) return ModuleStatus::missing;
  return status_from(kmod_functions().kmod_module_get_initstate(modules.front().get()));
}

/// The name itself where /sys/module has it, or libkmod does not know it.
ModuleName KmodModules::loaded_name(const ModuleName& module) {
  if (root_.open("/sys/module/" + module.value, O_PATH)) return module;
  const auto modules = kmod().lookup(module);
  return modules.empty() ? module : ModuleName{kmod_functions().kmod_module_get_name(modules.front().get())};
}

/// The kernel counts modules that hold this one as users too.
std::uint32_t KmodModules::users(const ModuleName& module) {
  const std::string directory = "/sys/module/" + loaded_name(module).value;
  const auto text = root_.read(directory + "/refcnt", 64);
  if (!text) return static_cast<std::uint32_t>(root_.names(directory + "/holders").size());
  std::int64_t count = 0;
  std::from_chars(text->data(), text->data() + text->size(), count);
  return count > 0 ? static_cast<std::uint32_t>(count) : 0;  // -1: it is being unloaded
}

std::map<std::string, std::string> KmodModules::declared(const ModuleName& module) { return kmod().parameters(module); }

std::optional<ModuleParameter> KmodModules::parameter(const ModuleName& module, const ParameterName& name) {
  const std::string path = "/sys/module/" + loaded_name(module).value + "/parameters/" + name.value;
  const UniqueFd file = root_.open(path, O_PATH);
  if (!file) return declared(module).contains(name.value) ? std::optional(ModuleParameter{}) : std::nullopt;
  struct stat meta {};
  if (::fstat(file.get(), &meta) != 0) throw SystemError("looking at " + path, errno);
  ModuleParameter found{std::nullopt, (meta.st_mode & S_IWUSR) != 0};
  if ((meta.st_mode & S_IRUSR) == 0) return found;
  found.value = root_.read(path, largest_attribute);
  if (found.value && found.value->ends_with('\n')) found.value->pop_back();
  return found;
}

void KmodModules::set_parameter(const ModuleName& module, const ParameterName& name, const std::string& value) {
  const std::string path = "/sys/module/" + loaded_name(module).value + "/parameters/" + name.value;
  const UniqueFd file = root_.open(path, O_PATH);
  struct stat meta {};
  if (!file) throw SystemError("writing " + path, ENOENT);
  if (::fstat(file.get(), &meta) != 0) throw SystemError("looking at " + path, errno);
  // The kernel lets root open a file of any mode, and then fails the write with EIO.
  if ((meta.st_mode & S_IWUSR) == 0) throw SystemError("writing " + path, EACCES);
  root_.write_attribute(path, value + "\n");
}

// modprobe.d is read again: this run may have written options, or taken an install line away, since libkmod read it.
void KmodModules::load(const ModuleName& module) {
  kmod_.reset();
  const std::string doing = "loading the module " + module.value;
  const auto modules = kmod().lookup(module);
  if (modules.empty()) throw SystemError(doing + ": the running kernel has no such module", ENOENT);
  for (const Module& found : modules) {
    const int failed = kmod_functions().kmod_module_probe_insert_module(
        found.get(), KMOD_PROBE_APPLY_BLACKLIST_ALIAS_ONLY, nullptr, nullptr, nullptr, nullptr);
    if (failed > 0) throw SystemError(doing + ": it is an alias of a module that modprobe.d blacklists", EPERM);
    if (failed < 0 && failed != -EEXIST) throw SystemError(doing, -failed);
  }
}

void KmodModules::unload(const ModuleName& module) {
  const Module found = kmod().by_name(loaded_name(module));
  const int failed = kmod_functions().kmod_module_remove_module(found.get(), O_NONBLOCK);
  if (failed < 0) throw SystemError("unloading the module " + module.value, -failed);
}

}  // namespace rdmastate
