// SPDX-License-Identifier: Apache-2.0
#include "plan/alike.hpp"

#include "base/lines.hpp"

namespace rdmastate {
namespace {

std::vector<std::string_view> words_of(std::string_view title) {
  constexpr std::string_view between = " ()";
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = title.find_first_not_of(between, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(title.find_first_of(between, at), title.size());
    words.push_back(title.substr(at, end - at));
    at = end;
  }
  return words;
}

// The words of a title that the other one has not, the longest first.
std::vector<std::string_view> own_words(std::string_view title, std::string_view other) {
  const auto others = words_of(other);
  auto words = words_of(title);
  std::erase_if(words, [&](auto word) { return std::find(others.begin(), others.end(), word) != others.end(); });
  std::stable_sort(words.begin(), words.end(), [](auto a, auto b) { return a.size() > b.size(); });
  return words;
}

// The text with "*" for each of these words: "mlx4_ib0 is down" and "mlx4_ib1 is down" become the same.
std::string with_star(std::string text, const std::vector<std::string_view>& names) {
  for (const auto name : names)
    for (std::size_t at = 0; (at = find_word(text, name, at)) != std::string::npos; ++at)
      text.replace(at, name.size(), "*");
  return text;
}

std::size_t count_unlike(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
  return count;
}

}  // namespace

std::optional<std::string> common_text(const ItemText& a, const std::string& in_a, const ItemText& b,
                                       const std::string& in_b) {
  if (in_a == in_b) return in_a;
  std::string common = with_star(in_a, own_words(a.title, b.title));
  return common == with_star(in_b, own_words(b.title, a.title)) ? std::optional(std::move(common)) : std::nullopt;
}

bool are_alike(const Column& a, const Column& b) {
  return a.field == b.field && a.next_boot == b.next_boot && a.is_default == b.is_default &&
         (a.live == "absent") == (b.live == "absent");
}

bool are_alike(const ItemText& a, const ItemText& b) {
  if (a.body.size() != b.body.size()) return false;
  return a.body.empty() || (a.is_whole && b.is_whole && 2 * count_unlike(a.body, b.body) <= a.body.size());
}

bool have_one_head(const ItemText& a, const ItemText& b) {
  return a.mark == b.mark && a.what == b.what && a.difference == b.difference && a.disruption == b.disruption &&
         a.cause == b.cause;
}

}  // namespace rdmastate
