// SPDX-License-Identifier: Apache-2.0
// Whether two lists of conditions can hold for the same device.
#include <algorithm>
#include <array>

#include "platform/setting.hpp"

namespace rdmastate {
namespace {

// One element of a pattern: a character, ?, [...] or *. Brackets count as any character. Size 0: the pattern is at its
// end.
struct Element {
  char is = '\0';
  std::size_t size = 0;
  bool many() const { return is == '*'; }
  bool any() const { return is == '?' || many(); }
};

Element element_of(std::string_view pattern) {
  if (pattern.empty()) return {};
  const std::size_t end = pattern.front() == '[' ? pattern.find(']', 2) : std::string_view::npos;
  if (end != std::string_view::npos) return {'?', end + 1};
  return {pattern.front(), 1};
}

// Whether the condition tells our device from others. ACTION, DRIVERS, SUBSYSTEM and a pattern that everything fits do
// not: they are the same for nearly every device. SUBSYSTEM infiniband* does.
bool tells_apart(const Condition& one) {
  constexpr std::array<std::string_view, 3> usual{"ACTION", "DRIVERS", "SUBSYSTEM"};
  const bool of_all = std::any_of(one.patterns.begin(), one.patterns.end(),
                                  [](const std::string& pattern) { return covers(pattern, "?*"); });
  if (one.key == "SUBSYSTEM") return !one.patterns.empty() && one.patterns.front().starts_with("infiniband");
  return !of_all && std::find(usual.begin(), usual.end(), one.key) == usual.end();
}

const Condition* find(const std::vector<Condition>& all, const Condition& like) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Condition& one) { return one.key == like.key && !one.negated; });
  return found == all.end() ? nullptr : &*found;
}

// Whether theirs matches all that ours matches, some of it, or nothing.
Meets compare(const Condition& ours, const Condition& theirs) {
  bool all = true;
  bool some = false;
  for (const auto& own : ours.patterns) {
    all = all && std::any_of(theirs.patterns.begin(), theirs.patterns.end(),
                             [&](const std::string& pattern) { return covers(pattern, own); });
    some = some || std::any_of(theirs.patterns.begin(), theirs.patterns.end(),
                               [&](const std::string& pattern) { return overlap(pattern, own); });
  }
  if (!some) return Meets::never;
  return all ? Meets::always : Meets::maybe;
}

Meets negated(Meets meets) {
  if (meets == Meets::maybe) return meets;
  return meets == Meets::always ? Meets::never : Meets::always;
}

}  // namespace

bool overlap(std::string_view one, std::string_view other) {
  const Element a = element_of(one);
  const Element b = element_of(other);
  if (a.many()) return overlap(one.substr(1), other) || (b.size != 0 && overlap(one, other.substr(b.size)));
  if (b.many()) return overlap(other, one);
  if (a.size == 0 || b.size == 0) return a.size == b.size;
  return (a.any() || b.any() || a.is == b.is) && overlap(one.substr(a.size), other.substr(b.size));
}

bool covers(std::string_view pattern, std::string_view other) {
  const Element a = element_of(pattern);
  const Element b = element_of(other);
  if (a.many()) return covers(pattern.substr(1), other) || (b.size != 0 && covers(pattern, other.substr(b.size)));
  if (a.size == 0 || b.size == 0) return a.size == b.size;
  const bool fits = pattern.front() == '?' ? !b.many() : a.size == 1 && b.size == 1 && a.is == b.is && !b.any();
  const bool same = a.size == b.size && pattern.substr(0, a.size) == other.substr(0, b.size);
  return (fits || same) && covers(pattern.substr(a.size), other.substr(b.size));
}

Meets meets(const std::vector<Condition>& ours, const std::vector<Condition>& theirs) {
  bool is_known = false;
  bool is_all = true;
  bool asks_for_more = false;
  for (const auto& one : theirs) {
    const Condition* own = find(ours, one);
    if (own == nullptr) {
      asks_for_more = true;
      continue;
    }
    const Meets met = one.negated ? negated(compare(*own, one)) : compare(*own, one);
    if (met == Meets::never) return Meets::never;
    is_all = is_all && met == Meets::always;
    is_known = is_known || (!one.negated && tells_apart(*own) && tells_apart(one));
  }
  if (is_all && !asks_for_more) return Meets::always;
  return is_known ? Meets::maybe : Meets::never;
}

}  // namespace rdmastate
