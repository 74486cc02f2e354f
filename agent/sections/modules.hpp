// SPDX-License-Identifier: Apache-2.0
// Section `modules`: kernel modules that are loaded, now and at every boot.
#pragma once

#include <vector>

#include "base/fields.hpp"
#include "base/types.hpp"

namespace rdmastate {

struct ModulesSection {
  std::vector<ModuleName> load;
};

template <>
struct Fields<ModulesSection> {
  static constexpr std::string_view name = "modules";
  static constexpr std::string_view doc = "Kernel modules.";
  static constexpr std::array<std::string_view, 2> later{"block", "options"};
  static constexpr auto table = std::tuple{
      Field{
          "load",
          &ModulesSection::load,
          "Modules that are loaded now and at every boot. One that is taken out of the list stays loaded until the next boot.",
          {.example = "[ib_ipoib, ib_umad, rdma_ucm, rpcrdma]"}},
  };
};

}  // namespace rdmastate
