// SPDX-License-Identifier: Apache-2.0
// Random cases, without templates: rapidcheck is compiled in property.cpp alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// Which numbers one draw may give, from 0. A failing case is tried again with numbers nearer to 0.
struct Range {
  enum class Spread {
    even,     ///< all below `end` are as likely
    growing,  ///< those below `end` that are as large as the case may be: early cases are small
    bits,     ///< as many random bits as the case may have, at most `end` of them
  };
  Spread spread = Spread::growing;
  std::uint64_t end = 1;
};

/// Where the parts of a random case come from.
class Draw {
 public:
  virtual ~Draw() = default;
  virtual std::uint64_t from(const Range& range) = 0;

  /// From `least` to one less than `end`, smaller ones in early cases.
  int number(int least, int end);
  /// Of so many bits (at most 64), smaller ones in early cases.
  std::uint64_t bits(unsigned count);
  bool flip();
  /// Of a list of so many: each is as likely.
  std::size_t index(std::size_t count);
};

/// A random case while it is drawn. Each draw by itself is made smaller when the case fails, and told with the failure.
class Case : public Draw {
 public:
  std::uint64_t from(const Range& range) override;
  /// A list as long as the case is large, or shorter.
  std::vector<std::uint64_t> list(const Range& each);
  /// As many of these parts, each as likely, as the case is large, or fewer.
  std::string text_of(const std::vector<std::string>& parts);
  /// Any bytes but NUL, most of them ASCII.
  std::string text();
  /// Any bytes, NUL too.
  std::string bytes();
  /// All that `build` draws is one draw: it is not told, and is made smaller until no part of it can be. `build` is
  /// called more than once, and must draw the same ranges whatever it gets.
  void together(const std::function<void(Draw&)>& build);
  /// Told with a failure, in place of what was drawn for it.
  void show(std::string what) { shown_.push_back(std::move(what)); }
  const std::vector<std::string>& shown() const { return shown_; }

 private:
  std::vector<std::string> shown_;
};

/// Asks `body` about a hundred cases, ever larger ones. A case fails when `body` throws; it is made smaller as long as
/// it fails, and becomes a failure of the running test, with what was drawn for it and how to repeat it.
/// $RDMASTATE_SEED, a decimal number, is where the cases come from; without it they are others each time.
void for_all(const std::string& what, const std::function<void(Case&)>& body);

/// In a body: the case fails, for this reason.
[[noreturn]] void falsify(const std::string& why);
/// In a body: the case fails unless that holds.
void must(bool holds, std::string_view what);
/// In a body: a case of which this is not true is none, and another one takes its place.
void assume(bool is_case);

}  // namespace rdmastate
