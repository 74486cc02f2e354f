// SPDX-License-Identifier: Apache-2.0
// Kind `module`: a kernel module that is loaded now, or built in. Key: its name. Twin: a line in a modules-load.d file.
#pragma once

#include <string>
#include <vector>

#include "resources/kind.hpp"

namespace rdmastate {

struct ModuleState {
  ModuleName name;
  bool operator==(const ModuleState&) const = default;
};

template <>
struct Fields<ModuleState> {
  static constexpr std::string_view name = "module";
  static constexpr std::string_view doc = "A kernel module that is loaded.";
  static constexpr auto table = Table{
      Field{"name", &ModuleState::name, "The module's name.", {.required = true, .identity = true}},
  };
};

extern const Kind module_kind;

/// A sentence for kinds that need the module: the running kernel has none of that name, and what may bring it.
std::string no_module_text(const Facts& facts, const std::string& module);
/// Whether the plan loads it, so that what is missing now may come with it. In a tree nothing is loaded.
bool is_coming(const Scene& scene, const std::string& module);
/// The modules that the plan loads.
std::vector<std::string> coming_modules(const Scene& scene);

}  // namespace rdmastate
