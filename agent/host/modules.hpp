// SPDX-License-Identifier: Apache-2.0
// The interface to a host's kernel modules and their parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/types.hpp"

namespace rdmastate {

/// Where a module is: in the running kernel, built into it, on the disk, or nowhere.
enum class ModuleStatus : std::uint8_t { loaded, builtin, loadable, missing };
template <>
struct Names<ModuleStatus> {
  static constexpr std::string_view wanted = "loaded, builtin, loadable or missing";
  static constexpr std::array table{
      Name<ModuleStatus>{ModuleStatus::loaded, "loaded"}, Name<ModuleStatus>{ModuleStatus::builtin, "builtin"},
      Name<ModuleStatus>{ModuleStatus::loadable, "loadable"}, Name<ModuleStatus>{ModuleStatus::missing, "missing"}};
};

/// A parameter of a module, loaded or not.
struct ModuleParameter {
  /// What it is now, as the kernel prints it, without the newline; nullopt while the module is not loaded, and where
  /// the kernel shows none (it was declared without permissions).
  std::optional<std::string> value;
  bool writable = false;  ///< the kernel takes another value while the module is loaded
  bool operator==(const ModuleParameter&) const = default;
};

/// All modules of a kernel at once.
struct ModuleTable {
  std::set<std::string> loaded;
  std::set<std::string> loadable;  ///< files of the running kernel, those of loaded modules included
  std::set<std::string> builtin;
  std::map<std::string, std::set<std::string>> depends;  ///< by module, the modules that it needs
  std::map<std::string, std::string> aliases;            ///< by alias, the module: xprtrdma is rpcrdma
  std::map<std::string, std::uint32_t> in_use;  ///< by module, the number of users beside modules: open files, mounts
  /// What "MODULE.PARAMETER" is when a module is loaded without options, as the kernel prints it: Y and N are booleans.
  std::map<std::string, std::string> parameters;
  /// By "MODULE.PARAMETER", the values of loaded modules that differ from `parameters`.
  std::map<std::string, std::string> given;
  std::set<std::string> writable;  ///< "MODULE.PARAMETER" that the kernel lets root set while the module is loaded
  std::set<std::string> hidden;    ///< "MODULE.PARAMETER" whose values the kernel shows to nobody
  /// Modules whose parameters are all known; nullopt: those of every module are.
  std::optional<std::set<std::string>> described;
  bool operator==(const ModuleTable&) const = default;
};

/// The kernel modules of a host.
class Modules {
 public:
  virtual ~Modules() = default;
  /// What a record keeps. It takes its time: the files of all modules that have to do with RDMA are read.
  virtual ModuleTable table() = 0;
  /// Aliases are followed (xprtrdma is an alias of rpcrdma). Looks at /sys/module, and asks libkmod only about a module
  /// that is not there.
  virtual ModuleStatus status(const ModuleName& module) = 0;
  /// How many users a loaded module has (modules that hold it included); unloading needs 0.
  virtual std::uint32_t users(const ModuleName& module) = 0;
  /// As modprobe: dependencies, options and install lines of modprobe.d included, so that with an install line that
  /// runs /bin/true it succeeds and loads nothing. A blacklist does not apply to a name that is asked for. Throws
  /// SystemError; ENOENT when there is no such module; EPERM when the name is an alias of a module that is blacklisted.
  virtual void load(const ModuleName& module) = 0;
  /// Throws SystemError; EWOULDBLOCK when the module is in use.
  virtual void unload(const ModuleName& module) = 0;
  /// nullopt: the running kernel's module has no such parameter, or there is no such module. Throws SystemError; EACCES
  /// where this user, or this record, cannot tell.
  virtual std::optional<ModuleParameter> parameter(const ModuleName& module, const ParameterName& name) = 0;
  /// Of a loaded or built-in module. ENOENT: it shows no such parameter; EACCES: it is not writable; EINVAL: the kernel
  /// does not take the value.
  virtual void set_parameter(const ModuleName& module, const ParameterName& name, const std::string& value) = 0;
};

}  // namespace rdmastate
