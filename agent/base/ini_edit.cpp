// SPDX-License-Identifier: Apache-2.0
#include "base/ini_edit.hpp"

#include <algorithm>

namespace rdmastate::ini {
namespace {

std::string line_of(std::string_view key, std::string_view value) {
  std::string line(key);
  return line.append("=").append(value).append("\n");
}

}  // namespace

void Editor::end_line() {
  if (!text_.empty() && text_.back() != '\n') text_ += '\n';
}

void Editor::set(std::string_view section, std::string_view key, std::string_view value) {
  const File now = file();
  const Entry* entry = now.find(section, key);
  if (entry == nullptr) return add(section, key, value);
  if (entry->value == value) return;
  std::string line = line_of(key, value);
  if (entry->end == text_.size() && text_.back() != '\n') line.pop_back();  // the last line stays without a newline
  text_.replace(entry->begin, entry->end - entry->begin, line);
}

void Editor::add(std::string_view section, std::string_view key, std::string_view value) {
  const File now = file();
  const auto& all = now.sections();
  const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Section& one) { return one.name == section; });
  if (found == all.rend()) {
    add_section(section);
    text_ += line_of(key, value);
    return;
  }
  const bool ends_in_line = found->end > 0 && text_[found->end - 1] != '\n';
  text_.insert(found->end, (ends_in_line ? "\n" : "") + line_of(key, value));
}

void Editor::add_section(std::string_view section) {
  end_line();
  if (!text_.empty()) text_ += '\n';
  text_.append("[").append(section).append("]\n");
}

bool Editor::remove(const std::function<bool(const File&, const Entry&)>& is_it) {
  const File now = file();
  for (const auto& entry : now.entries()) {
    if (!entry.counts || !is_it(now, entry)) continue;
    text_.erase(entry.begin, entry.end - entry.begin);
    return true;
  }
  return false;
}

}  // namespace rdmastate::ini
