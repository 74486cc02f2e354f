// SPDX-License-Identifier: Apache-2.0
// Section `modules`: kernel modules that are loaded, now and at every boot, those that never are, and their options.
#pragma once

#include <map>
#include <vector>

#include "base/fields.hpp"
#include "base/types.hpp"

namespace rdmastate {

struct ModulesSection {
  std::vector<ModuleName> load;
  std::vector<ModuleName> block;
  std::map<ModuleName, std::map<ParameterName, Verbatim>> options;
};

template <>
struct Fields<ModulesSection> {
  static constexpr std::string_view name = "modules";
  static constexpr std::string_view doc = "Kernel modules.";
  static constexpr auto table = Table{
      Field{
          "load",
          &ModulesSection::load,
          "Modules that are loaded now and at every boot. A module that is removed from this list stays loaded until the next boot.",
          {.example = "[ib_ipoib, ib_umad, rdma_ucm, rpcrdma]"}},
      Field{
          "block",
          &ModulesSection::block,
          "Modules that are never loaded, whether for hardware, by name or as a dependency. A module that is loaded now stays until the next boot.",
          {.example = "[rds_rdma]"}},
      Field{
          "options",
          &ModulesSection::options,
          "Parameters of modules, by module and parameter. A parameter that the kernel allows to change is changed now; any other takes effect when the module is loaded next.",
          {.example = "{ib_ipoib: {recv_queue_size: 512}}"}},
  };
};

}  // namespace rdmastate
