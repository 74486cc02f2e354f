// SPDX-License-Identifier: Apache-2.0
// Implements Modules, the interface to kernel modules, for a recorded host.
#pragma once

#include <string>

#include "host/modules.hpp"
#include "host/recorded/calls.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {

/// Modules in memory. ib_ipoib makes one interface per InfiniBand port when it is loaded, and removes all of them when
/// it is unloaded, even while they are up (they hold no reference on it). Of modprobe.d the options and install lines
/// in /etc are obeyed.
class RecordedModules final : public Modules {
 public:
  RecordedModules(HostModel& model, CallLog& log) : model_(model), log_(log) {}

  ModuleTable table() override { return model_.modules; }
  ModuleStatus status(const ModuleName& module) override;
  std::uint32_t users(const ModuleName& module) override;
  void load(const ModuleName& module) override;
  void unload(const ModuleName& module) override;
  std::optional<ModuleParameter> parameter(const ModuleName& module, const ParameterName& name) override;
  void set_parameter(const ModuleName& module, const ParameterName& name, const std::string& value) override;

 private:
  /// The name of the module that `module` is an alias of; `module` itself where it is no alias.
  std::string resolved(const ModuleName& module) const;
  ModuleStatus status_of(const std::string& name) const;
  std::uint32_t users_of(const std::string& name) const;

  HostModel& model_;
  CallLog& log_;
};

}  // namespace rdmastate
