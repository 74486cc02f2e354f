// SPDX-License-Identifier: Apache-2.0
// Kind `module_block`: a kernel module that is not loaded and stays away. Key: its name. rdmastate unloads no module:
// one that is loaded is pending. Twin: its lines in a modprobe.d file.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct ModuleBlockState {
  ModuleName name;
  bool operator==(const ModuleBlockState&) const = default;
};

template <>
struct Fields<ModuleBlockState> {
  static constexpr std::string_view name = "module_block";
  static constexpr std::string_view doc = "A kernel module that is not loaded.";
  static constexpr auto table = Table{
      Field{"name", &ModuleBlockState::name, "The module's name.", {.required = true, .identity = true}},
  };
};

extern const Kind module_block_kind;

}  // namespace rdmastate
