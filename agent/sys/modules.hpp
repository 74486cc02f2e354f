// SPDX-License-Identifier: Apache-2.0
// Kernel modules of the live host. module_table.cpp has table() and describe().
#pragma once

#include <memory>

#include "host/modules.hpp"
#include "sys/root.hpp"

namespace rdmastate {

class KmodContext;  ///< libkmod's view of the modules, opened on first use

/// The live host's kernel modules: by /sys/module, and by libkmod for what /sys/module does not tell.
/// Contract: host/modules.hpp.
class KmodModules final : public Modules {
 public:
  /// `root` must be the live one and outlive this object.
  explicit KmodModules(const Root& root);
  ~KmodModules() override;

  ModuleTable table() override;
  ModuleStatus status(const ModuleName& module) override;
  std::uint32_t users(const ModuleName& module) override;
  void load(const ModuleName& module) override;
  void unload(const ModuleName& module) override;
  std::optional<ModuleParameter> parameter(const ModuleName& module, const ParameterName& name) override;
  void set_parameter(const ModuleName& module, const ParameterName& name, const std::string& value) override;

 private:
  KmodContext& kmod();  ///< opened on first use
  /// The module's name in /sys/module; `module` may be an alias of it.
  ModuleName loaded_name(const ModuleName& module);
  /// The types ("bool") of a module's parameters, by their names; a type is empty where the module's file gives none.
  std::map<std::string, std::string> declared(const ModuleName& module);
  /// Adds the module's parameters to the table.
  void describe(const std::string& module, ModuleTable& table);

  const Root& root_;
  std::unique_ptr<KmodContext> kmod_;
};

}  // namespace rdmastate
