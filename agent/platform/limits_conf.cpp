// SPDX-License-Identifier: Apache-2.0
#include "platform/limits_conf.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "base/lines.hpp"

namespace rdmastate {

// Of the type, pam_limits looks at the first character alone; of domains, it exempts only a user, a group or a range
// (pam_limits.c, parse_config_file()).
bool LimitsConfLine::exempts() const {
  return type.starts_with('-') && item.empty() && domain != "*" && !domain.starts_with('%');
}

std::vector<LimitsConfLine> limits_conf_lines(std::string_view text) {
  std::vector<LimitsConfLine> found;
  for_lines(text, [&](std::string_view line) {
    const auto parts = words(trimmed(line.substr(0, line.find('#'))));
    if (parts.empty()) return;
    const auto word = [&](std::size_t at) { return at < parts.size() ? ascii::lower(parts[at]) : std::string(); };
    found.push_back({std::string(parts[0]), word(1), word(2), word(3), fmt::format("{}", fmt::join(parts, " "))});
  });
  return found;
}

}  // namespace rdmastate
