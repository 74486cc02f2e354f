// SPDX-License-Identifier: Apache-2.0
#include "host/units.hpp"

#include <fmt/format.h>

namespace rdmastate {

std::string template_of(std::string_view unit) {
  const std::size_t at = unit.find('@');
  const std::size_t dot = unit.rfind('.');
  if (at == std::string_view::npos || dot == std::string_view::npos || dot <= at + 1) return {};
  return fmt::format("{}{}", unit.substr(0, at + 1), unit.substr(dot));
}

}  // namespace rdmastate
