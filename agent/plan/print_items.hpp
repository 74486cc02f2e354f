// SPDX-License-Identifier: Apache-2.0
// The items of a plan for people: one by one, and those that are alike as one.
#pragma once

#include <string>
#include <vector>

#include "plan/print.hpp"

namespace rdmastate {

/// A sentence about an item.
struct ItemNote {
  std::string label;  ///< "pending: "
  std::string text;
  bool is_bad = false;  ///< it is refused or blocked
};

/// What is printed of one item; nothing of it drives a terminal, and nothing of it is painted.
struct ItemText {
  char mark = ' ';
  std::string what;                          ///< verb and kind, "rename rdma_device"; of what has no step the kind
  std::string title;                         ///< as people know it, without its kind: "/etc/x"
  std::string difference;                    ///< of verify, behind the title: " is not there"
  Disruption disruption = Disruption::none;  ///< of its step
  std::string cause;                         ///< a sentence: why it is in the plan; empty: the spec names it
  std::vector<Column> columns;
  std::vector<std::string> body;  ///< of its step, as moved_lines() has them
  bool is_whole = false;          ///< it comes or goes as a whole, and so does each line of its body
  std::vector<ItemNote> notes;
};

/// One item of a plan, with its refusals.
ItemText item_text(const Plan& plan, std::size_t item);
/// The same as `verify` has it: how the host differs, without what a step would write.
ItemText difference_text(const Plan& plan, std::size_t item);
/// All of them, one below the other. Those that follow each other and are alike are one, "load module (2): a, b", with
/// what only one of them says behind its title. PlanForm::brief: a line for each or for those that are alike, with
/// notes, without columns and bodies.
std::string items_text(const std::vector<ItemText>& items, const Paint& paint, PlanForm form);

/// The columns as lines: a table; of one field, or where nothing is there yet, a sentence. Without indentation.
std::vector<std::string> column_lines(const std::vector<Column>& columns, const Paint& paint);
/// "name mlx4_1 -> store0": one field from live to spec; what is not there yet, or is so already, its value alone.
std::string change_text(const Column& column);

}  // namespace rdmastate
