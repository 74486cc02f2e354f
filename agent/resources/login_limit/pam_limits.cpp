// SPDX-License-Identifier: Apache-2.0
// limits.conf(5) as pam_limits reads it.
#include <fmt/format.h>

#include <charconv>

#include "base/lines.hpp"
#include "resources/login_limit/login_limit.hpp"

namespace rdmastate {
namespace {

// The more exact a line's domain is, the more it counts (enum of pam_limits.c).
enum class Domain : std::uint8_t { user, group, everybody, other };

Domain domain_of(std::string_view word, const std::string& user, const std::set<std::string>& groups) {
  if (word == user) return Domain::user;
  if (word.starts_with('@') && groups.contains(std::string(word.substr(1)))) return Domain::group;
  return word == "*" ? Domain::everybody : Domain::other;
}

// In KiB.
std::optional<MemorySize> size_from(std::string_view text) {
  if (text == "unlimited" || text == "infinity" || text == "-1") return MemorySize{MemorySize::no_limit};
  std::uint64_t kib = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), kib);
  const bool is_whole = failure == std::errc{} && end == text.data() + text.size();
  if (!is_whole || kib > MemorySize::no_limit / MemorySize::kib) return std::nullopt;
  return MemorySize{kib * MemorySize::kib};
}

struct Best {
  Domain domain = Domain::other;
  std::optional<LimitSaid> said;

  void offer(Domain from, const LimitSaid& one) {
    if (said && from > domain) return;
    domain = from;
    said = one;
  }
};

}  // namespace

LimitsOf limits_of(const std::vector<LimitsFile>& files, const std::string& user, const std::set<std::string>& groups) {
  Best soft;
  Best hard;
  for (const auto& file : files)
    for_lines(file.text, [&](std::string_view line) {
      const auto parts = words(trimmed(line.substr(0, line.find('#'))));
      if (parts.size() != 4 || parts[2] != "memlock") return;
      const Domain domain = domain_of(parts[0], user, groups);
      const auto size = size_from(parts[3]);
      if (domain == Domain::other || !size) return;
      const LimitSaid said{*size, fmt::format("{} in {}", fmt::join(parts, " "), file.path)};
      if (parts[1] == "soft" || parts[1] == "-") soft.offer(domain, said);
      if (parts[1] == "hard" || parts[1] == "-") hard.offer(domain, said);
    });
  return {std::move(soft.said), std::move(hard.said)};
}

}  // namespace rdmastate
