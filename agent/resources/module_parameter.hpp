// SPDX-License-Identifier: Apache-2.0
// Kind `module_parameter`: the value of a parameter of a loaded kernel module (/sys/module/MODULE/parameters). Key:
// "MODULE PARAMETER". Twin: an options line in a modprobe.d file, which gives the module the value when it is loaded.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct ModuleParameterState {
  ModuleName module;
  ParameterName parameter;
  std::string value;  ///< wanted: as the spec writes it; observed: as the kernel prints it
  bool operator==(const ModuleParameterState&) const = default;
};

template <>
struct Fields<ModuleParameterState> {
  static constexpr std::string_view name = "module_parameter";
  static constexpr std::string_view doc = "What a kernel module runs with.";
  static constexpr auto table = Table{
      Field{"module", &ModuleParameterState::module, "The module's name.", {.required = true, .identity = true}},
      Field{
          "parameter", &ModuleParameterState::parameter, "The parameter's name.", {.required = true, .identity = true}},
      Field{"value", &ModuleParameterState::value, "As it is written, or as the kernel prints it."},
  };
};

extern const Kind module_parameter_kind;

/// The key, such as "ib_ipoib recv_queue_size".
std::string module_parameter_key(const ModuleName& module, const ParameterName& parameter);

}  // namespace rdmastate
