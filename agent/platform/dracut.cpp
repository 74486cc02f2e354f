// SPDX-License-Identifier: Apache-2.0
#include "platform/dracut.hpp"

#include <algorithm>

#include "base/lines.hpp"
#include "platform/setting.hpp"

namespace rdmastate {
namespace {

/// NAME=VALUE or NAME+=VALUE of the shell, without the quotes.
struct Assignment {
  std::string_view name;
  std::string_view value;

  bool is_switch() const { return name == "hostonly"; }
  bool is_list() const { return name == "install_items" || name == "install_optional_items"; }
};

Assignment assignment(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  std::string_view name = trimmed(line.substr(0, equals));
  if (name.ends_with('+')) name.remove_suffix(1);
  std::string_view value = line.substr(equals + 1);
  if (value.starts_with('"') || value.starts_with('\''))
    value = value.substr(1, value.find(value.front(), 1) - 1);
  else
    value = value.substr(0, value.find_first_of(" \t#;"));
  return {name, value};
}

}  // namespace

bool DracutSettings::names(std::string_view path) const {
  return std::any_of(items.begin(), items.end(), [&](const std::string& item) { return covers(item, path); });
}

void add_dracut_settings(std::string_view text, DracutSettings& settings) {
  for_lines(text, [&](std::string_view line) {
    const Assignment one = assignment(line);
    if (one.is_switch() && (one.value == "yes" || one.value == "no")) settings.hostonly = one.value == "yes";
    if (!one.is_list()) return;
    for (auto& item : words(one.value)) settings.items.push_back(std::move(item));
  });
}

std::string dracut_lines(std::string_view text) {
  std::string kept;
  for_lines(text, [&](std::string_view line) {
    const Assignment one = assignment(line);
    if (one.is_switch() || one.is_list()) kept.append(line).append("\n");
  });
  return kept;
}

}  // namespace rdmastate
