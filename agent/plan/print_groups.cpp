// SPDX-License-Identifier: Apache-2.0
// Prints items that are alike (alike.hpp) as one: what they share once, then what differs for each.
//
// Flow: items_text() adds each item to the Group before it when it is alike (try_add()), else begins another Group.
// Group::text() is, in a brief plan, head() and the notes on one line; else whole_text(): head(), the items one by one
// where they differ, and the columns and lines that all share.
#include <fmt/format.h>

#include "plan/alike.hpp"
#include "plan/print_items.hpp"
#include "plan/print_marks.hpp"

namespace rdmastate {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view indent = "      ";

// Items that are printed as one, and how.
class Group {
 public:
  Group(const ItemText& first, const Paint& paint, PlanForm form) : items_{&first}, paint_(paint), form_(form) {
    for (const auto& note : first.notes) notes_.push_back(note.text);
  }

  /// False: this one is not alike, and was not added.
  bool try_add(const ItemText& other);
  std::string text() const { return form_ == PlanForm::brief ? head() + joined_notes() + "\n" : whole_text(); }

 private:
  const ItemText& first() const { return *items_.front(); }
  bool is_alone() const { return items_.size() == 1; }
  // What the items share; by index of a note or column of the first item.
  std::optional<Lines> common_notes(const ItemText& other) const;
  std::optional<Column> common_column(std::size_t at) const;
  std::vector<std::optional<Column>> common_columns() const;
  bool have_one_body() const;
  // The printed text and its parts.
  std::string head(bool with_titles = true) const;
  std::string names_in(std::size_t at) const;
  std::string painted_note(std::size_t at) const;
  std::string joined_notes() const;
  std::string painted_line(const std::string& line) const;
  Lines own_text(const ItemText& item, const std::vector<std::optional<Column>>& common) const;
  std::string item_line(const ItemText& item, const std::vector<std::optional<Column>>& common) const;
  Lines items_one_by_one(const std::vector<std::optional<Column>>& common) const;
  std::string whole_text() const;

  std::vector<const ItemText*> items_;
  /// The notes' texts that all items share, with "*" where their words differ (empty for a note with names).
  Lines notes_;
  const Paint& paint_;
  PlanForm form_;
};

std::optional<Lines> Group::common_notes(const ItemText& other) const {
  if (first().notes.size() != other.notes.size()) return std::nullopt;
  Lines common;
  for (std::size_t i = 0; i < other.notes.size(); ++i) {
    const ItemNote& note = first().notes[i];
    if (note.label != other.notes[i].label) return std::nullopt;
    auto text = common_text(first(), note.text, other, other.notes[i].text);
    if (!text) return std::nullopt;
    common.push_back(std::move(*text));
  }
  return common;
}

bool Group::try_add(const ItemText& other) {
  if (!have_one_head(first(), other)) return false;
  if (form_ == PlanForm::whole) {
    const auto& columns = first().columns;
    const bool same_fields = std::equal(columns.begin(), columns.end(), other.columns.begin(), other.columns.end(),
                                        [](const Column& a, const Column& b) { return are_alike(a, b); });
    if (!same_fields || !are_alike(first(), other)) return false;
  }
  auto notes = common_notes(other);
  if (!notes || (!is_alone() && *notes != notes_)) return false;
  notes_ = std::move(*notes);
  items_.push_back(&other);
  return true;
}

// The column of this index as all items of the group have it, with "*" where their words differ; nullopt: each has its
// own.
std::optional<Column> Group::common_column(std::size_t at) const {
  std::optional<Column> common;
  for (std::size_t i = 1; i < items_.size(); ++i) {
    const Column& a = first().columns[at];
    const Column& b = items_[i]->columns[at];
    const auto spec = common_text(first(), a.spec, *items_[i], b.spec);
    const auto live = common_text(first(), a.live, *items_[i], b.live);
    if (!spec || !live || (common && (common->spec != *spec || common->live != *live))) return std::nullopt;
    if ((*spec == *live) != (a.spec == a.live))
      return std::nullopt;  // both are "*" now, and stood for different words of the title
    common = Column{a.field, *spec, *live, a.next_boot, a.is_default};
  }
  return common;
}

// "+ load module (2): ib_ipoib, ib_umad", and of one "+ load module ib_umad".
std::string Group::head(bool with_titles) const {
  const ItemText& one = first();
  std::string text =
      fmt::format("  {} {}", painted_mark(one.mark, paint_), paint_.bold(head_line(items_, with_titles)));
  if (one.disruption != Disruption::none) text += paint_.red(fmt::format("  [disrupts: {}]", to_text(one.disruption)));
  return text;
}

std::string Group::names_in(std::size_t at) const {
  Lines names;
  for (const auto* item : items_)
    for (const auto& name : item->notes[at].names)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string Group::painted_note(std::size_t at) const {
  const ItemNote& note = first().notes[at];
  const std::string text = note.names.empty() ? notes_[at] : names_in(at);
  return (note.is_bad ? paint_.red(note.label) : paint_.yellow(note.label)) + text;
}

std::string Group::joined_notes() const {
  std::string text;
  for (std::size_t i = 0; i < notes_.size(); ++i) text += (i == 0 ? ": " : "; ") + painted_note(i);
  return text;
}

std::string Group::painted_line(const std::string& line) const {
  if (line.starts_with('+')) return paint_.green(line);
  if (line.starts_with('-')) return paint_.red(line);
  return line.starts_with('@') ? paint_.cyan(line) : line;
}

// The texts that this item has and the first has not: its values of fields that are not common, and lines of its file.
// Bodies of one group have as many lines (are_alike()).
Lines Group::own_text(const ItemText& item, const std::vector<std::optional<Column>>& common) const {
  Lines own;
  for (std::size_t i = 0; i < common.size(); ++i)
    if (!common[i]) own.push_back(change_text(item.columns[i]));
  for (std::size_t i = 0; i < item.body.size() && &item != &first(); ++i)
    if (item.body[i] != first().body[i]) own.push_back(item.body[i].substr(1));
  return own;
}

// "b" of /etc/x/b where the first one is /etc/x/a.
std::string_view title_beside(const ItemText& first, std::string_view title) {
  const std::size_t name = title.rfind('/') + 1;
  const bool is_beside = title.starts_with('/') && first.title.rfind('/') + 1 == name;
  return is_beside && title.substr(0, name) == first.title.substr(0, name) ? title.substr(name) : title;
}

// "TITLE: its own texts". An item whose lines stand at the first one has a shorter title, and may have "the same".
std::string Group::item_line(const ItemText& item, const std::vector<std::optional<Column>>& common) const {
  const bool is_beside = &item != &first() && !item.body.empty();
  const std::string title(is_beside ? title_beside(first(), item.title) : item.title);
  const Lines own = own_text(item, common);
  if (!own.empty()) return fmt::format("{}: {}", title, fmt::join(own, ", "));
  return is_beside ? title + ": the same" : title;
}

Lines Group::items_one_by_one(const std::vector<std::optional<Column>>& common) const {
  Lines lines;
  for (const auto* item : items_) {
    lines.push_back(item_line(*item, common));
    if (item != items_.front() || item->body.empty()) continue;
    for (const auto& line : item->body) lines.push_back(painted_line(line));
    lines.push_back("The others have the same lines, except these:");
  }
  return lines;
}

std::string next_boot_line(const ItemText& item, const std::vector<std::optional<Column>>& common) {
  std::string text;
  for (std::size_t i = 0; i < common.size() && !item.is_past; ++i)
    if (!common[i])
      text += fmt::format("{}{} {}", text.empty() ? "next boot: " : ", ", item.columns[i].field,
                          to_text(item.columns[i].next_boot));
  return text;
}

// What a run did, as one line.
Lines change_lines(const std::vector<Column>& columns) {
  Lines changes;
  for (const auto& column : columns) changes.push_back(change_text(column));
  return changes.empty() ? Lines{} : Lines{fmt::format("{}", fmt::join(changes, "; "))};
}

std::vector<std::optional<Column>> Group::common_columns() const {
  std::vector<std::optional<Column>> common;
  for (std::size_t i = 0; i < first().columns.size(); ++i)
    common.push_back(is_alone() ? first().columns[i] : common_column(i));
  return common;
}

bool Group::have_one_body() const {
  return std::all_of(items_.begin(), items_.end(), [&](const auto* item) { return item->body == first().body; });
}

// Below the head: the cause; where the items differ, each by itself; then the columns that all share, the lines of the
// file where all have the same, and the notes.
std::string Group::whole_text() const {
  const auto common = common_columns();
  std::vector<Column> shared;
  for (const auto& column : common)
    if (column) shared.push_back(*column);
  const bool is_printed_once = shared.size() == common.size() && have_one_body();
  Lines lines;
  if (!first().cause.empty()) lines.push_back(paint_.yellow(first().cause));
  if (!is_printed_once)
    for (auto& line : items_one_by_one(common)) lines.push_back(std::move(line));
  if (const std::string next = next_boot_line(first(), common); !next.empty()) lines.push_back(next);
  for (auto& line : first().is_past ? change_lines(shared) : column_lines(shared, paint_))
    lines.push_back(std::move(line));
  if (is_printed_once)
    for (const auto& line : first().body) lines.push_back(painted_line(line));
  for (std::size_t i = 0; i < notes_.size(); ++i) lines.push_back(painted_note(i));
  std::string text = head(is_printed_once) + "\n";
  for (const auto& line : lines) text += fmt::format("{}{}\n", indent, line);
  return text;
}

}  // namespace

std::string head_line(const std::vector<const ItemText*>& items, bool with_titles) {
  const ItemText& one = *items.front();
  if (items.size() == 1) return fmt::format("{} {}{}", one.what, one.title, one.difference);
  std::string text = fmt::format("{} ({}){}", one.what, items.size(), one.difference);
  for (const auto* item : items)
    if (with_titles) text += (item == items.front() ? ": " : ", ") + item->title;
  return text;
}

std::string items_text(const std::vector<ItemText>& items, const Paint& paint, PlanForm form) {
  std::string text;
  for (std::size_t at = 0; at < items.size();) {
    Group group(items[at], paint, form);
    do ++at;
    while (at < items.size() && group.try_add(items[at]));
    text += group.text();
  }
  return text;
}

}  // namespace rdmastate
