// SPDX-License-Identifier: Apache-2.0
// What a host can be asked about kernel modules, and told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/types.hpp"

namespace rdmastate {

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

class Modules {
 public:
  virtual ~Modules() = default;
  /// Aliases are followed (xprtrdma is rpcrdma's). One look at /sys/module, and libkmod only for what is not there.
  virtual ModuleStatus status(const ModuleName& module) = 0;
  /// How many users a loaded module has (its own holders included); unloading needs 0.
  virtual std::uint32_t users(const ModuleName& module) = 0;
  /// As modprobe: dependencies, options and install lines of modprobe.d included; a blacklist does not apply to a name
  /// that is asked for. Throws SystemError; ENOENT when there is no such module.
  virtual void load(const ModuleName& module) = 0;
  /// EWOULDBLOCK (in use) is an error like any other.
  virtual void unload(const ModuleName& module) = 0;
  /// nullopt: the running kernel's module has no such parameter, or there is no such module.
  virtual std::optional<ModuleParameter> parameter(const ModuleName& module, const ParameterName& name) = 0;
  /// Of a loaded or built-in module. ENOENT: it shows no such parameter; EACCES: it is not writable; EINVAL: the kernel
  /// does not take the value.
  virtual void set_parameter(const ModuleName& module, const ParameterName& name, const std::string& value) = 0;
};

}  // namespace rdmastate
