// SPDX-License-Identifier: Apache-2.0
// A plan for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace rdmastate {

/// ANSI colours, or nothing at all.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string red(std::string_view text) const { return wrap("31", text); }
  std::string green(std::string_view text) const { return wrap("32", text); }
  std::string yellow(std::string_view text) const { return wrap("33", text); }
  std::string cyan(std::string_view text) const { return wrap("36", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool on_;
};

/// The plan with its columns, diffs, disruption, and a closing count.
std::string plan_text(const Plan& plan, const Paint& paint);
/// What of the host is not as the spec says, and a closing sentence; what is pending counts unless it is allowed.
std::string verify_text(const Plan& plan, bool allow_pending, const Paint& paint);
/// One line about one step: "create ipoib_link mlx4_ib0.8002 (...)".
std::string step_line(const Item& item);
/// One step as data: what it moves from where to where, without secrets, and what that disturbs.
Json step_json(const Item& item);
/// The plan as data, "format_version": 1.
Json plan_json(const Plan& plan);
/// What is to be said of the plan as a whole: that much goes, and what this user may not read.
std::vector<std::string> notes_of(const Plan& plan);
/// A sentence where the spec asks for nothing, or more than half of what rdmastate made goes; else empty.
std::string much_goes_line(const Plan& plan);
/// A sentence for each file that this user may not read, and that may be about what the spec is about.
std::vector<std::string> unseen_lines(const Plan& plan);
/// "2 steps, 1 pending": what `apply` and `verify` close with.
std::string count_line(const Plan& plan);

}  // namespace rdmastate
