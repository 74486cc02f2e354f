// SPDX-License-Identifier: Apache-2.0
// Prints a plan: as text for people (print_text.cpp, print_items.cpp), as JSON for programs (print_json.cpp).
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace rdmastate {

/// Puts ANSI colours around a text; when off, the text stays as it is.
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

/// How much of a plan plan_text() prints: all of it, or a line for each item.
enum class PlanForm : std::uint8_t { whole, brief };

/// The plan for people: what changes the running host, then files. In each part steps come first, in their order, then
/// items without a step. The legend of the marks and the total close the text. Items that are alike are printed as one.
/// `whole`: with columns and diffs. `brief`: one line for each item, or for those that are alike, with why it waits or
/// is refused.
std::string plan_text(const Plan& plan, const Paint& paint, PlanForm form = PlanForm::whole);
/// Where the host is not as the spec says, and a closing sentence. `allow_pending`: what is pending is no failure.
std::string verify_text(const Plan& plan, bool allow_pending, const Paint& paint);
/// One line about one step: "create ipoib_link mlx4_ib0.8002 (...)".
std::string step_line(const Item& item);
/// Whether one line tells both steps when they are done: their verbs and kinds are equal. A plan, which also shows what
/// they write, may tell them apart.
bool share_line(const Item& a, const Item& b);
/// The line of steps that share_line(), "load module (2): ib_ipoib, ib_umad"; of a single one its step_line().
/// There has to be one.
std::string steps_line(const std::vector<const Item*>& steps);
/// One step as data, of an item that has one: what it moves from where to where, without secrets, and what that
/// disturbs.
Json step_json(const Item& item);
/// The plan as data, "format_version": 1.
Json plan_json(const Plan& plan);
/// Sentences about the plan as a whole: much_goes_line() and unseen_lines().
std::vector<std::string> notes_of(const Plan& plan);
/// A sentence where the spec asks for nothing, or more than half of what rdmastate made goes; else empty.
std::string much_goes_line(const Plan& plan);
/// A sentence for each file that may configure an interface of the spec and that this user may not read.
std::vector<std::string> unseen_lines(const Plan& plan);
/// The total, "14 steps (7 now, 7 after them), 1 pending": the last line of plan, the first of apply. A run that ends
/// well has as many steps, where the hardware that a module brings is not as wanted by itself. What a step brings
/// (Gap::comes_along) is counted beside them, "1 comes with them".
std::string count_line(const Plan& plan);
/// "1 step", "2 steps": how plan, apply, rollback and history count.
std::string count_of_steps(std::size_t count);
/// What apply leaves as it is: one line for each item that is pending, blocked or unseen, or for those alike.
std::string left_text(const Plan& plan, const Paint& paint);

}  // namespace rdmastate
