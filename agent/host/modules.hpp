// SPDX-License-Identifier: Apache-2.0
// What a host can be asked about kernel modules, and told.
#pragma once

#include <cstdint>
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
};

}  // namespace rdmastate
