// SPDX-License-Identifier: Apache-2.0
#include "sections/network/ini.hpp"

#include "base/lines.hpp"
#include "sections/adopt.hpp"

namespace rdmastate {
Ini::Ini(std::string path, std::string_view text) : path_(std::move(path)) {
  std::string section;
  std::size_t instance = 0;
  for (const auto& [number, whole] : numbered_lines(text)) {
    const std::string_view line = trimmed(whole);
    if (line.starts_with('[') && line.ends_with(']')) {
      section = line.substr(1, line.size() - 2);
      ++instance;
    } else if (const std::size_t at = line.find('='); at != std::string::npos && line[0] != '#' && line[0] != ';') {
      lines_.push_back({number, instance, section, std::string(trimmed(line.substr(0, at))),
                        std::string(trimmed(line.substr(at + 1)))});
    }
  }
}

const IniLine* Ini::find(std::string_view section, std::string_view key) const {
  const IniLine* found = nullptr;
  for (const auto& line : lines_)
    if (line.section == section && line.key == key) found = &line;
  return found;
}

std::string Ini::value(std::string_view section, std::string_view key) const {
  const IniLine* line = find(section, key);
  return line == nullptr ? std::string() : line->value;
}

std::string Ini::place(const IniLine& line) const { return place_of(path_, line.number); }

std::vector<std::string> split(std::string_view text, std::string_view between) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    if (end > at) parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace rdmastate
