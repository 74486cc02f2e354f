// SPDX-License-Identifier: Apache-2.0
// Makes and prints the texts of items of a plan for people: one by one, and those that are alike as one.
#pragma once

#include <string>
#include <vector>

#include "plan/print.hpp"

namespace rdmastate {

/// A sentence about an item.
struct ItemNote {
  std::string label;  ///< says what kind of sentence it is: "pending: "
  std::string text;
  bool is_bad = false;  ///< it is refused or blocked
  /// Printed instead of the text, with commas between; of items that are alike all names, each once.
  std::vector<std::string> names = {};
};

/// What is printed of one item, without control characters and without colours.
struct ItemText {
  char mark = ' ';         ///< as mark_of() gives it
  std::string what;        ///< verb and kind, "rename rdma_device"; the kind alone where there is no step
  std::string title;       ///< as people know it, without its kind: "/etc/x"
  std::string difference;  ///< of verify, after the title: " is not there"
  Disruption disruption = Disruption::none;  ///< of its step
  std::string cause;                         ///< a sentence: why it is in the plan; empty: the spec names it
  std::vector<Column> columns;               ///< as Item has them, printable
  std::vector<std::string> body;             ///< of its step, as moved_lines() has them
  bool is_whole = false;                     ///< created or removed: all lines of its body are +, or all are -
  bool is_past = false;  ///< a step that a run did: its columns say from what (live) to what (spec), and no next boot
  std::vector<ItemNote> notes;
};

/// What is printed of plan.items[item], with its refusals.
ItemText item_text(const Plan& plan, std::size_t item);
/// The same as `verify` has it: how the host differs, without what a step would write.
ItemText difference_text(const Plan& plan, std::size_t item);
/// A title without its kind: "/etc/x" of "file /etc/x".
std::string without_kind(const std::string& title, const Kind& kind);
/// "load module (2): ib_ipoib, ib_umad" of items with one `what`, and of one "load module ib_ipoib": that and their
/// titles.
std::string head_line(const std::vector<const ItemText*>& items, bool with_titles = true);
/// Prints the items one below the other (print_groups.cpp). Those that follow each other and are alike are one, "load
/// module (2): a, b", with what only one of them says after its title. PlanForm::brief: a line for each or for those
/// that are alike, with notes, without columns and bodies.
std::string items_text(const std::vector<ItemText>& items, const Paint& paint, PlanForm form);

/// The columns as lines: a sentence where the next boot is the same for all of them, else a table. Without indentation.
std::vector<std::string> column_lines(const std::vector<Column>& columns, const Paint& paint);
/// "name mlx4_1 -> store0": one field from live to spec; its value alone where it is not there yet, or does not change.
std::string change_text(const Column& column);

}  // namespace rdmastate
