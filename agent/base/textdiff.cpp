// SPDX-License-Identifier: Apache-2.0
#include "base/textdiff.hpp"

#include <dtl/dtl.hpp>
#include <sstream>
#include <vector>

namespace rdmastate {
namespace {

constexpr const char* no_newline = "\n\\ No newline at end of file";

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) {  // the remark is part of the line, so that it differs from one with a newline
      lines.push_back(std::string(text.substr(at)) + no_newline);
      break;
    }
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The hunk of a file that is made (+) or emptied (-). dtl begins its lines at 1 where diff -u says 0.
std::string one_sided_hunk(const std::vector<std::string>& lines, char sign) {
  std::string text = sign == '+' ? "@@ -0,0 +1," : "@@ -1,";
  text += std::to_string(lines.size()) + (sign == '+' ? " @@\n" : " +0,0 @@\n");
  for (const auto& line : lines) text += sign + line + "\n";
  return text;
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after) {
  if (before == after) return {};
  const auto from = lines_of(before);
  const auto to = lines_of(after);
  if (from.empty()) return one_sided_hunk(to, '+');
  if (to.empty()) return one_sided_hunk(from, '-');
  dtl::Diff<std::string> diff(from, to);
  diff.compose();
  diff.composeUnifiedHunks();
  std::ostringstream out;
  diff.printUnifiedFormat(out);
  return out.str();
}

}  // namespace rdmastate
