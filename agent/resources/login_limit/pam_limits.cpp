// SPDX-License-Identifier: Apache-2.0
// limits.conf(5) as pam_limits reads it, by limits_of(): of all memlock lines that are for the user (domain_of()), the
// one with the most exact domain counts (Best).
#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "base/lines.hpp"
#include "base/text.hpp"
#include "resources/login_limit/login_limit.hpp"

namespace rdmastate {
namespace {

// Whom a line is for (its first word), the most exact first: that one counts most (enum of pam_limits.c). `logins` is
// "%" and `logins_of_group` "%GROUP": both are meant for maxlogins, and count for memlock too. `other`: not this user.
enum class Domain : std::uint8_t { user, group, logins_of_group, logins, everybody, other };

// "1000:2000", "1000:" or ":1000", which is 1000 alone.
struct IdRange {
  std::uint32_t first = 0;
  std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  bool is_one = false;
  bool contains(std::optional<std::uint32_t> id) const { return id && *id >= first && *id <= last; }
};

// nullopt: it is no range (parse_uid_range()).
std::optional<IdRange> range_from(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || word.size() == 1) return std::nullopt;
  IdRange range;
  range.is_one = colon == 0;
  const auto take = [](std::string_view text, std::uint32_t& out) {
    return text.empty() || !Text<std::uint32_t>::read({text, /*plain=*/true}, out);
  };
  if (!take(word.substr(0, colon), range.first) || !take(word.substr(colon + 1), range.last)) return std::nullopt;
  if (range.is_one) range.first = range.last;
  return range;
}

// Whether the user is of the group that the word names, or of one in the word's range of gids: a range is compared with
// the primary group alone, but ":1000" with all groups.
bool is_of_group(std::string_view word, const LimitedUser& user) {
  const auto range = range_from(word);
  if (!range) return user.groups.contains(std::string(word));
  return range->is_one ? user.gids.contains(range->last) : range->contains(user.gid);
}

Domain domain_of(std::string_view word, const LimitedUser& user) {
  if (word == user.name) return Domain::user;
  if (word == "%") return Domain::logins;
  if (word == "*") return Domain::everybody;
  if (word.starts_with('@')) return is_of_group(word.substr(1), user) ? Domain::group : Domain::other;
  if (word.starts_with('%')) return is_of_group(word.substr(1), user) ? Domain::logins_of_group : Domain::other;
  const auto range = range_from(word);
  return range && range->contains(user.uid) ? Domain::user : Domain::other;
}

// Reads a number of KiB, or a word for no limit; nullopt: the text is neither.
std::optional<MemorySize> size_from(std::string_view text) {
  if (text == "unlimited" || text == "infinity" || text == "-1") return MemorySize{MemorySize::no_limit};
  std::uint64_t kib = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), kib);
  const bool is_whole = failure == std::errc{} && end == text.data() + text.size();
  if (!is_whole || kib > MemorySize::no_limit / MemorySize::kib) return std::nullopt;
  return MemorySize{kib * MemorySize::kib};
}

// The line that counts among those that were offered in the order of the files: among equals the last one.
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

std::vector<LimitLine> memlock_lines(const std::vector<LimitsFile>& files) {
  std::vector<LimitLine> lines;
  for (const auto& file : files)
    for_lines(file.text, [&](std::string_view line) {
      const auto parts = words(trimmed(line.substr(0, line.find('#'))));
      if (parts.size() != 4 || parts[2] != "memlock") return;
      const auto size = size_from(parts[3]);
      if (!size) return;
      lines.push_back({parts[0],
                       parts[1] == "soft" || parts[1] == "-",
                       parts[1] == "hard" || parts[1] == "-",
                       {*size, fmt::format("{} in {}", fmt::join(parts, " "), file.path), file.path}});
    });
  return lines;
}

LimitsOf limits_of(const std::vector<LimitsFile>& files, const LimitedUser& user) {
  Best soft;
  Best hard;
  for (const auto& line : memlock_lines(files)) {
    const Domain domain = domain_of(line.domain, user);
    if (domain == Domain::other) continue;
    if (line.is_soft) soft.offer(domain, line.said);
    if (line.is_hard) hard.offer(domain, line.said);
  }
  return {std::move(soft.said), std::move(hard.said)};
}

}  // namespace rdmastate
