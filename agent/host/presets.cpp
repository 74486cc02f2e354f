// SPDX-License-Identifier: Apache-2.0
#include "host/presets.hpp"

#include <fnmatch.h>

#include <array>

#include "base/lines.hpp"
#include "host/look_at.hpp"
#include "host/ordered_files.hpp"

namespace rdmastate {
namespace {

// Highest precedence first (systemd.preset(5)).
constexpr std::array<std::string_view, 5> preset_directories{
    "/etc/systemd/system-preset", "/run/systemd/system-preset", "/usr/local/lib/systemd/system-preset",
    "/usr/lib/systemd/system-preset", "/lib/systemd/system-preset"};

}  // namespace

std::optional<bool> preset_in(std::string_view text, const std::string& unit) {
  std::optional<bool> found;
  for_lines(text, [&](std::string_view line) {
    const auto parts = words(trimmed(line));
    if (found || parts.size() < 2 || ::fnmatch(parts[1].c_str(), unit.c_str(), FNM_NOESCAPE) != 0) return;
    if (parts[0] == "enable") found = true;
    if (parts[0] == "disable" || parts[0] == "ignore") found = false;  // "ignore" enables nothing either
  });
  return found;
}

Preset preset_of(const Snapshot& snapshot, const std::string& unit, std::vector<std::string>& unseen) {
  for (const auto& one : files_that_count(snapshot, preset_directories, ".preset", unseen)) {
    const std::string& path = one.second;
    std::string text;
    look_at(path, unseen, [&] { text = snapshot.read(path).value_or(""); });
    if (const auto said = preset_in(text, unit)) return {*said, path};
  }
  return {};  // systemd enables what no preset names
}

}  // namespace rdmastate
