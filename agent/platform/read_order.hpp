// SPDX-License-Identifier: Apache-2.0
// Directories whose files are read in an order, and what else is read with a file of rdmastate. Pure data.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "host/place.hpp"
#include "platform/setting.hpp"

namespace rdmastate {

/// systemd.unit(5), without what lives no longer than a boot and no file of a person's or a package's is in.
inline constexpr std::array<std::string_view, 7> unit_directories{
    "/etc/systemd/system.control",   "/run/systemd/generator.early", "/etc/systemd/system", "/run/systemd/system",
    "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",      "/lib/systemd/system"};
/// udev(7).
inline constexpr std::array<std::string_view, 5> rule_directories{"/etc/udev/rules.d", "/run/udev/rules.d",
                                                                  "/usr/local/lib/udev/rules.d",
                                                                  "/usr/lib/udev/rules.d", "/lib/udev/rules.d"};

/// When others' files are read, against one of rdmastate's.
enum class Order : std::uint8_t {
  by_name,     ///< of the file, as strcmp has it
  by_version,  ///< of the file, as strverscmp has it
  apart,       ///< in no order with it: what they say counts more
};

/// Others' files that are read with one of rdmastate's, and may say otherwise.
struct Reading {
  std::vector<std::string> directories;  ///< of files of one name the first one's counts
  std::string_view suffix;
  Order order = Order::by_name;
  Settings (*settings)(std::string_view text) = nullptr;      ///< of a file of others
  Settings (*own_settings)(std::string_view text) = nullptr;  ///< of rdmastate
};

/// Where those are that could win over a file of rdmastate; a record keeps of them what says something to their reader.
FilePlaces ordered_places();

/// Every reading that a file of rdmastate at this path is part of; none where nothing is read in an order with it.
std::vector<Reading> readings_of(const std::string& path);

}  // namespace rdmastate
