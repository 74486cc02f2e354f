// SPDX-License-Identifier: Apache-2.0
#include "plan/print_moved.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/report.hpp"
#include "host/mark.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

using Lines = std::vector<std::string>;

using Count = std::optional<std::size_t>;

// The length of the list that is the value of this key in a JSON file of rdmastate; nullopt: another program wrote it.
Count count_entries(const std::string& text, const char* field) {
  try {
    const Json json = parse_json(text);
    const bool has_list = json.is_object() && json.contains(field) && json[field].is_array();
    return has_list ? Count(json[field].size()) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A file of rdmastate's own, of which is told how much it holds, not its lines.
struct Counted {
  Count (*count)(const std::string& text);
  std::string_view thing;
  std::string_view what_for;
};

std::optional<Counted> counted_at(const std::string& path) {
  const Layout& layout = common_layout();
  if (path == layout.boot_file)
    return Counted{[](const auto& text) { return count_entries(text, "resources"); }, "resource", "for the next boot"};
  if (path == layout.ledger)
    return Counted{[](const auto& text) { return count_entries(text, "entries"); }, "resource", "in the ledger"};
  if (path == layout.applied)
    return Counted{[](const auto& text) { return Count(std::count(text.begin(), text.end(), '\n')); }, "line",
                   "of the spec as it was applied"};
  return std::nullopt;
}

// How much the file holds, 0 without a file; nullopt: it cannot be counted.
Count count_in(const Counted& file, const State* state) {
  if (state == nullptr) return 0;
  if (!state->is<FileState>() || !file_of(*state).content) return std::nullopt;
  return file.count(file_of(*state).content->value);
}

// How much the file holds, as one line; nullopt: it is another file, or cannot be counted.
std::optional<std::string> count_line_of(const std::string& key, const State* from, const State* to) {
  const auto file = counted_at(key);
  if (!file) return std::nullopt;
  const auto now = count_in(*file, to);
  const auto before = count_in(*file, from);
  if (!now || !before) return std::nullopt;
  return fmt::format("{} {}{} {}{}", *now, file->thing, *now == 1 ? "" : "s", file->what_for,
                     from == nullptr ? "" : fmt::format(", {} before", *before));
}

// Whether a line tells nothing where a whole file is created or removed: the head of a hunk, the mark that each file of
// rdmastate has, and an empty line.
bool says_nothing(std::string_view line) {
  return line.starts_with('@') || line.size() <= 1 || line.find(managed_line) == 1;
}

}  // namespace

std::vector<std::string> moved_lines(const Kind& kind, const std::string& key, const State* from, const State* to) {
  if (kind.lines == nullptr) return {};
  if (auto line = count_line_of(key, from, to)) return {std::move(*line)};
  const bool is_whole = from == nullptr || to == nullptr;
  const std::string diff = kind.lines(from, to);
  Lines lines;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    std::string line = printable(std::string_view(diff).substr(at, end - at));
    at = end + 1;
    if (!is_whole || !says_nothing(line)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace rdmastate
