// SPDX-License-Identifier: Apache-2.0
// Tells which foreign files a program reads together with a file of rdmastate, and in which order: so that a plan finds
// those that win over it. A constant table.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "host/place.hpp"
#include "host/units.hpp"
#include "platform/setting.hpp"

namespace rdmastate {

/// Where udev's rules lie (udev(7)), the strongest first.
inline constexpr std::array<std::string_view, 5> rule_directories{"/etc/udev/rules.d", "/run/udev/rules.d",
                                                                  "/usr/local/lib/udev/rules.d",
                                                                  "/usr/lib/udev/rules.d", "/lib/udev/rules.d"};

/// What decides whether a file of others is read before or after one of rdmastate's.
enum class ReadOrder : std::uint8_t {
  by_name,     ///< the files' names, as strcmp compares them
  by_version,  ///< the files' names, as strverscmp compares them
  before_all,  ///< theirs are read before ours, whatever the names
  apart,       ///< nothing: what they say counts more than ours, whatever the names
};

/// Files of others that are read with one of rdmastate's, and may contradict it.
struct Reading {
  std::vector<std::string> directories;  ///< the strongest first: of files of one name the first counts
  std::string_view suffix;               ///< how the paths of those files end
  ReadOrder order = ReadOrder::by_name;
  Settings (*settings)(std::string_view text) = nullptr;      ///< reads a file of others
  Settings (*own_settings)(std::string_view text) = nullptr;  ///< reads a file of rdmastate
  bool may_be_final = false;                                  ///< a file of others may have a Setting that is `final`
};

/// What a record keeps of a file in which each line stands for itself: the lines of which `settings` makes a setting.
Kept lines_that_set(Settings (*settings)(std::string_view text), const FileToKeep& file);

/// The places of all files that could win over a file of rdmastate; of each a record keeps the settings that a plan
/// compares.
FilePlaces ordered_places();

/// The readings of a file of rdmastate at this path, one for each set of foreign files that is read with it; empty: no
/// foreign file is.
std::vector<Reading> readings_of(const std::string& path);

}  // namespace rdmastate
