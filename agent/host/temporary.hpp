// SPDX-License-Identifier: Apache-2.0
// The names of files that are written beside their targets and not renamed yet: a killed run leaves some, and whoever
// cleans up knows them by these names.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// The parts of such a name: the mark behind the target's name, and the number of random hexadecimal digits.
constexpr std::string_view temporary_mark = ".rdmastate-";
constexpr std::size_t temporary_digits = 16;

/// What comes before the 16 random hexadecimal digits: ".NAME.rdmastate-", with NAME cut so that the whole stays within
/// NAME_MAX (255, linux/limits.h).
inline std::string temporary_prefix(std::string_view name) {
  constexpr std::size_t longest = 255 - 1 - temporary_mark.size() - temporary_digits;
  return "." + std::string(name.substr(0, longest)) + std::string(temporary_mark);
}

/// Whether this is such a name. Only rdmastate makes them: the file may be removed while no run is active.
inline bool is_temporary(std::string_view name) {
  const auto mark = name.rfind(temporary_mark);
  if (!name.starts_with('.') || mark == std::string_view::npos || mark < 2) return false;
  const auto digits = name.substr(mark + temporary_mark.size());
  return digits.size() == temporary_digits && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace rdmastate
