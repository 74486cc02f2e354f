// SPDX-License-Identifier: Apache-2.0
// Whether the conditions of one of rdmastate's files (`ours`) and those of a foreign udev rule or .link file (`theirs`)
// can hold for the same device: see setting.hpp. Flow: meets() gives each foreign condition, with ours on the same
// key, to compare(), which gives their patterns to covers() and overlap().
#include <algorithm>
#include <array>

#include "platform/setting.hpp"

namespace rdmastate {
namespace {

// One element of a pattern: a character, ?, [...] or *. Brackets count as any character. Size 0: the pattern is at its
// end.
struct Element {
  char is = '\0';
  std::size_t size = 0;  // in the pattern's text
  bool is_star() const { return is == '*'; }
  bool is_wild() const { return is == '?' || is_star(); }
  bool is_end() const { return size == 0; }
};

Element first_element(std::string_view pattern) {
  if (pattern.empty()) return {};
  const std::size_t end = pattern.front() == '[' ? pattern.find(']', 2) : std::string_view::npos;
  if (end != std::string_view::npos) return {'?', end + 1};
  return {pattern.front(), 1};
}

// Whether the condition tells our device from others. ACTION, DRIVERS, SUBSYSTEM and a pattern that everything fits do
// not: they are the same for nearly every device. SUBSYSTEM infiniband* does.
bool tells_apart(const Condition& one) {
  constexpr std::array<std::string_view, 3> usual{"ACTION", "DRIVERS", "SUBSYSTEM"};
  const bool fits_all = std::any_of(one.patterns.begin(), one.patterns.end(),
                                    [](const std::string& pattern) { return covers(pattern, "?*"); });
  if (one.key == "SUBSYSTEM") return !one.patterns.empty() && one.patterns.front().starts_with("infiniband");
  return !fits_all && std::find(usual.begin(), usual.end(), one.key) == usual.end();
}

// The condition on the same key as `like` that is not negated; nullptr: there is none.
const Condition* find(const std::vector<Condition>& all, const Condition& like) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Condition& one) { return one.key == like.key && !one.negated; });
  return found == all.end() ? nullptr : &*found;
}

// `always`: theirs matches every text that ours matches; `maybe`: some of these texts; `never`: none of them.
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
  const Element a = first_element(one);
  const Element b = first_element(other);
  // A star stands for nothing, or for one element more of the other pattern.
  if (a.is_star()) return overlap(one.substr(1), other) || (!b.is_end() && overlap(one, other.substr(b.size)));
  if (b.is_star()) return overlap(other, one);
  if (a.is_end() || b.is_end()) return a.is_end() && b.is_end();
  return (a.is_wild() || b.is_wild() || a.is == b.is) && overlap(one.substr(a.size), other.substr(b.size));
}

bool covers(std::string_view pattern, std::string_view other) {
  const Element a = first_element(pattern);
  const Element b = first_element(other);
  if (a.is_star()) return covers(pattern.substr(1), other) || (!b.is_end() && covers(pattern, other.substr(b.size)));
  if (a.is_end() || b.is_end()) return a.is_end() && b.is_end();
  const bool is_question_mark = pattern.front() == '?';
  const bool is_same_character = a.size == 1 && b.size == 1 && a.is == b.is && !b.is_wild();
  const bool fits = is_question_mark ? !b.is_star() : is_same_character;
  const bool is_same_text = pattern.substr(0, a.size) == other.substr(0, b.size);  // the same brackets too
  return (fits || is_same_text) && covers(pattern.substr(a.size), other.substr(b.size));
}

Meets meets(const std::vector<Condition>& ours, const std::vector<Condition>& theirs) {
  bool is_known = false;       // both name a key that tells devices apart
  bool is_all = true;          // what theirs ask for always holds
  bool asks_for_more = false;  // theirs ask for a key that ours do not have
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
