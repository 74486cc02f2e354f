// SPDX-License-Identifier: Apache-2.0
#include "plan/print_moved.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/report.hpp"
#include "host/mark.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

using Lines = std::vector<std::string>;

// A JSON file of rdmastate that holds a list of resources: a plan shows how many, not its lines.
struct ResourceList {
  const char* field;  ///< the key whose value is the list
  std::string_view what_for;
};

std::optional<ResourceList> list_at(const std::string& path) {
  const Layout& layout = common_layout();
  if (path == layout.boot_file) return ResourceList{"resources", "for the next boot"};
  if (path == layout.ledger) return ResourceList{"entries", "in the ledger"};
  return std::nullopt;
}

// The number of resources in the file, 0 without a file; nullopt: another program wrote it, so they cannot be counted.
std::optional<std::size_t> count_in(const ResourceList& list, const State* state) {
  if (state == nullptr) return 0;
  if (!state->is<FileState>() || !file_of(*state).content) return std::nullopt;
  try {
    const Json json = parse_json(file_of(*state).content->value);
    return json.is_object() && json.contains(list.field) && json[list.field].is_array()
               ? std::optional(json[list.field].size())
               : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// How many resources the file holds, as one line; nullopt: it is another file, or its resources cannot be counted.
std::optional<std::string> count_line_of(const std::string& key, const State* from, const State* to) {
  const auto list = list_at(key);
  if (!list) return std::nullopt;
  const auto now = count_in(*list, to);
  const auto before = count_in(*list, from);
  if (!now || !before) return std::nullopt;
  return fmt::format("{} resource{} {}{}", *now, *now == 1 ? "" : "s", list->what_for,
                     from == nullptr ? "" : fmt::format(", {} before", *before));
}

// Whether a line tells nothing where a whole file is created or removed: the head of a hunk, and the mark that each
// file of rdmastate has.
bool says_nothing(std::string_view line) { return line.starts_with('@') || line.find(managed_line) == 1; }

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
