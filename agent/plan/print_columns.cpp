// SPDX-License-Identifier: Apache-2.0
// Prints the columns spec, live and next boot of an item: column_lines() as one sentence where the next boot is the
// same for all fields, else as a table; change_text() one field. Both are declared in print_items.hpp.
#include <fmt/format.h>

#include "plan/print_items.hpp"

namespace rdmastate {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view absent = "absent";

std::string wanted_text(const Column& column) { return column.spec + (column.is_default ? " (default)" : ""); }

bool have_one_next_boot(const std::vector<Column>& columns) {
  return std::all_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return column.next_boot == columns.front().next_boot; });
}

bool is_absent(const std::vector<Column>& columns) {
  return std::all_of(columns.begin(), columns.end(), [](const Column& column) { return column.live == absent; });
}

std::string absent_line(const std::vector<Column>& columns) {
  std::string spec;
  for (const auto& column : columns)
    spec += fmt::format("{}{} {}", spec.empty() ? "" : ", ", column.field, wanted_text(column));
  const NextBoot next = columns.front().next_boot;
  const std::string boot = next == NextBoot::absent ? " and at the next boot" : ", next boot " + to_text(next);
  return fmt::format("absent now{}; spec: {}", boot, spec);
}

// "mode datagram now; up false -> true; next boot absent": values may hold commas.
std::string present_line(const std::vector<Column>& columns) {
  std::string text;
  for (const auto& column : columns)
    text += fmt::format("{}{}; ", change_text(column), column.live == column.spec ? " now" : "");
  return text + "next boot " + to_text(columns.front().next_boot);
}

Lines table(const std::vector<Column>& columns, const Paint& paint) {
  // Widths of the columns; a heading has to fit too.
  std::size_t field = 0;
  std::size_t spec = std::string_view("spec").size();
  std::size_t live = std::string_view("live").size();
  for (const auto& column : columns) {
    field = std::max(field, column.field.size());
    spec = std::max(spec, wanted_text(column).size());
    live = std::max(live, column.live.size());
  }
  Lines lines{paint.dim(fmt::format("{:<{}}  {:<{}}  {:<{}}  next boot", "", field, "spec", spec, "live", live))};
  // The escape codes of a colour are characters too, so the padding is printed after them.
  for (const auto& column : columns) {
    const std::string wanted = wanted_text(column);
    lines.push_back(fmt::format("{:<{}}  {}{:<{}}  {}{:<{}}  {}", column.field, field, paint.green(wanted), "",
                                spec - wanted.size(), paint.red(column.live), "", live - column.live.size(),
                                to_text(column.next_boot)));
  }
  return lines;
}

}  // namespace

std::string change_text(const Column& column) {
  const bool has_old_value = column.live != absent && column.live != "-" && column.live != column.spec;
  return fmt::format("{} {}{}", column.field, has_old_value ? column.live + " -> " : "", wanted_text(column));
}

Lines column_lines(const std::vector<Column>& columns, const Paint& paint) {
  if (columns.empty()) return {};
  if (!have_one_next_boot(columns)) return table(columns, paint);
  return {is_absent(columns) ? absent_line(columns) : present_line(columns)};
}

}  // namespace rdmastate
