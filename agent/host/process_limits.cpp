// SPDX-License-Identifier: Apache-2.0
#include "host/process_limits.hpp"

#include "base/lines.hpp"
#include "base/text.hpp"

namespace rdmastate {
namespace {

std::optional<MemorySize> size_from(std::string_view text) {
  if (text == "unlimited") return MemorySize{MemorySize::no_limit};
  std::uint64_t bytes = 0;
  if (Text<std::uint64_t>::read({text, /*plain=*/true}, bytes)) return std::nullopt;
  return MemorySize{bytes / MemorySize::kib * MemorySize::kib};
}

}  // namespace

std::optional<MemlockLimit> memlock_from(std::string_view limits) {
  constexpr std::string_view name = "Max locked memory";
  std::optional<MemlockLimit> found;
  for_lines(limits, [&](std::string_view line) {
    if (!line.starts_with(name)) return;
    const auto fields = words(line.substr(name.size()));
    if (fields.size() < 2) return;
    const auto soft = size_from(fields[0]);
    const auto hard = size_from(fields[1]);
    if (soft && hard) found = MemlockLimit{*soft, *hard};
  });
  return found;
}

}  // namespace rdmastate
