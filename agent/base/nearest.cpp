// SPDX-License-Identifier: Apache-2.0
// nearest(), for "did you mean": finds the candidate that a person most likely wanted to type (base/report.hpp).
#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/report.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t longest = 64;  // nobody mistypes more, and the cost is quadratic

using ascii::lower;

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

// Damerau-Levenshtein (optimal string alignment), blind to case. rows[i][j]: a's first i against b's first j.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool equal = lower(a[i - 1]) == lower(b[j - 1]);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (equal ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  return rows[a.size()][b.size()];
}

// The largest distance that still gives a hint. In a word of three letters two mistakes would leave one.
std::size_t tolerance(std::size_t length) { return length <= 3 ? 1 : std::max<std::size_t>(2, length / 3); }

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  for (const auto candidate : candidates)
    if (same_letters(word, candidate)) return candidate;
  if (word.empty() || word.size() > longest) return {};
  std::string_view best;
  std::size_t best_distance = tolerance(word.size()) + 1;
  for (const auto candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t d = distance(word, candidate);
    if (d < best_distance && d < candidate.size()) {  // some letter of the candidate is there
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace rdmastate
