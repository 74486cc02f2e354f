// SPDX-License-Identifier: Apache-2.0
// What an install line of modprobe.d(5) does with its module.
#pragma once

#include <string_view>

namespace rdmastate {

/// Whether the command of an install line, by its first word, keeps the module from being loaded: `install MODULE
/// /bin/true` and `/bin/false`, in any directory.
constexpr bool loads_nothing(std::string_view command) {
  return command.ends_with("/true") || command.ends_with("/false");
}

}  // namespace rdmastate
