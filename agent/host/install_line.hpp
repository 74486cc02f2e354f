// SPDX-License-Identifier: Apache-2.0
// What an install line of modprobe.d(5) does with its module.
#pragma once

#include <string_view>

namespace rdmastate {

/// Whether an install line with this command keeps its module from being loaded: `install MODULE /bin/true` or
/// `/bin/false`, in any directory. `command`: the command's first word.
constexpr bool loads_nothing(std::string_view command) {
  return command.ends_with("/true") || command.ends_with("/false");
}

}  // namespace rdmastate
