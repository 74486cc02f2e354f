// SPDX-License-Identifier: Apache-2.0
// limits.conf(5) as pam_limits reads it, by limits_of(): of all memlock lines that are for the user (domain_of()), the
// one with the most exact domain counts (Best).
#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "base/text.hpp"
#include "platform/limits_conf.hpp"
#include "resources/login_limit/login_limit.hpp"

namespace rdmastate {
namespace {

// Whom a line is for (its first word), the most exact first: that one counts most (enum of pam_limits.c). `other`: not
// this user.
enum class Domain : std::uint8_t { user, group, everybody, other };

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
  if (word == "*") return Domain::everybody;
  if (word.starts_with('@')) return is_of_group(word.substr(1), user) ? Domain::group : Domain::other;
  const auto range = range_from(word);
  return range && range->contains(user.uid) ? Domain::user : Domain::other;
}

// Reads a number of KiB, as strtoull() does, which ignores what stands behind it; or a word for no limit. nullopt: the
// text is neither.
std::optional<MemorySize> size_from(std::string_view text) {
  if (text == "unlimited" || text == "infinity" || text == "-1" || text == "-") return MemorySize{MemorySize::no_limit};
  std::uint64_t kib = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), kib);
  if (end == text.data()) return std::nullopt;
  if (failure != std::errc{} || kib > MemorySize::no_limit / MemorySize::kib) return MemorySize{MemorySize::no_limit};
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

// A line, and the file that says it.
struct Said {
  LimitsConfLine line;
  std::string file;
  std::string text() const { return fmt::format("{} in {}", line.text, file); }
};

std::vector<Said> lines_of(const std::vector<LimitsFile>& files) {
  std::vector<Said> lines;
  for (const auto& file : files)
    for (auto& line : limits_conf_lines(file.text)) lines.push_back({std::move(line), file.path});
  return lines;
}

// nullopt: it is no line of memlock, or pam_limits skips it: "%" and "%GROUP" count for the number of logins alone.
std::optional<LimitLine> memlock_line(const Said& said) {
  const LimitsConfLine& line = said.line;
  const auto size = line.item == "memlock" ? size_from(line.value) : std::nullopt;
  if (!size || line.domain.starts_with('%')) return std::nullopt;
  return LimitLine{line.domain, line.is_soft(), line.is_hard(), {*size, said.text(), said.file}};
}

// Whether pam_limits sets no limit at all for this user.
bool exempts(const LimitsConfLine& line, const LimitedUser& user) {
  return line.exempts() && domain_of(line.domain, user) != Domain::other;
}

}  // namespace

std::vector<LimitLine> memlock_lines(const std::vector<LimitsFile>& files) {
  std::vector<LimitLine> found;
  for (const auto& line : lines_of(files))
    if (auto one = memlock_line(line)) found.push_back(std::move(*one));
  return found;
}

LimitsOf limits_of(const std::vector<LimitsFile>& files, const LimitedUser& user) {
  Best soft;
  Best hard;
  for (const auto& line : lines_of(files)) {
    if (exempts(line.line, user)) return {std::nullopt, std::nullopt, line.text()};
    const auto limit = memlock_line(line);
    const Domain domain = limit ? domain_of(limit->domain, user) : Domain::other;
    if (domain == Domain::other) continue;
    if (limit->is_soft) soft.offer(domain, limit->said);
    if (limit->is_hard) hard.offer(domain, limit->said);
  }
  return {std::move(soft.said), std::move(hard.said), {}};
}

}  // namespace rdmastate
