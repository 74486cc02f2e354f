// SPDX-License-Identifier: Apache-2.0
// The table `rows` has, for each directory of rdmastate's files, the foreign files that are read with them: for plans
// (readings_of()) and for records (ordered_places()). A record keeps the settings that the plan's own function reads.
#include "platform/read_order.hpp"

#include <fmt/format.h>

#include <span>

#include "base/ini.hpp"
#include "base/lines.hpp"
#include "platform/limits_conf.hpp"

namespace rdmastate {
namespace {

constexpr std::array<std::string_view, 5> modprobe_directories{
    "/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d"};
constexpr std::array<std::string_view, 1> nfs_directories{"/etc/nfs.conf.d"};
constexpr std::array<std::string_view, 5> network_directories{"/etc/systemd/network", "/run/systemd/network",
                                                              "/usr/local/lib/systemd/network",
                                                              "/usr/lib/systemd/network", "/lib/systemd/network"};

/// In which folder of a directory the files of others lie.
enum class Below : std::uint8_t {
  itself,      ///< in the directory itself
  drop_ins,    ///< in the one that is called as our file, with .d
  our_folder,  ///< in the one that is called as the folder of our file
};

/// A directory of rdmastate's files, and which files of others are read with them.
struct Row {
  std::string_view place;                         ///< where ours are: the directory, or one in it for each star
  std::string_view ours;                          ///< how the names of rdmastate's files end there
  std::span<const std::string_view> directories;  ///< the program's, the strongest first
  Below below;
  std::string_view suffix;  ///< how the paths of foreign files end
  ReadOrder order;
  Settings (*settings)(std::string_view);      ///< reads a file of others
  Settings (*own_settings)(std::string_view);  ///< reads a file of rdmastate
  Kept (*keep)(const FileToKeep&);             ///< what a record keeps of a file of others; null: another place says it
  bool may_be_final = false;                   ///< as Reading has it
};

template <Settings (*settings)(std::string_view)>
Kept lines_of(const FileToKeep& file) {
  return lines_that_set(settings, file);
}

// Keeps a file of udev's rules as it is: rules go over several lines and jump over each other, and hold no secrets.
Kept whole(const FileToKeep&) { return {Kept::How::whole}; }

// Keeps of a file of systemd the entries of which `settings` makes a setting.
template <Settings (*settings)(std::string_view)>
Kept entries_of(const FileToKeep& from) {
  const ini::File file(ini::systemd, from.text);
  std::string kept;
  for (const auto& entry : file.entries()) {
    const std::string text = fmt::format("[{}]\n{}={}\n", file.section(entry), entry.key, entry.value);
    if (!settings(text).empty()) kept += text;
  }
  return kept_part(std::move(kept));
}

// Keeps of a .link file the conditions and the name, of which link_settings() makes one setting.
Kept link_parts(const FileToKeep& from) {
  const ini::File file(ini::systemd, from.text);
  std::string kept;
  for (const auto& entry : file.entries())
    if (file.section(entry) == "Match" || entry.key == "Name")
      kept += fmt::format("[{}]\n{}={}\n", file.section(entry), entry.key, entry.value);
  return kept_part(std::move(kept));
}

// Drop-ins of a file in one of networkd's directories. Another .network or .netdev file for the same interface is a
// claim (sections/ipoib/backends/claimants.cpp).
constexpr Row network_drop_ins(std::string_view ours) {
  return {"/etc/systemd/network", ours,          network_directories,
          Below::drop_ins,        ".conf",       ReadOrder::apart,
          network_settings,       unit_settings, entries_of<network_settings>};
}
constexpr Row mount_drop_ins(std::string_view ours) {
  return {"/etc/systemd/system", ours,           unit_directories, Below::drop_ins,           ".conf",
          ReadOrder::apart,      mount_settings, unit_settings,    entries_of<mount_settings>};
}
// Drop-ins beside one that rdmastate writes.
template <Settings (*settings)(std::string_view)>
constexpr Row service_drop_ins(std::string_view place) {
  return {place,    ".conf",       unit_directories,    Below::our_folder, ".conf", ReadOrder::by_name,
          settings, unit_settings, entries_of<settings>};
}

constexpr Row rows[] = {
    {"/etc/modprobe.d", ".conf", modprobe_directories, Below::itself, ".conf", ReadOrder::by_name, modprobe_settings,
     modprobe_settings, lines_of<modprobe_settings>},
    // systemd-modules-load obeys modprobe.d where that keeps a module away (KMOD_PROBE_APPLY_BLACKLIST). Lists of
    // modules add up, so none of them is read here.
    {"/etc/modules-load.d", ".conf", modprobe_directories, Below::itself, ".conf", ReadOrder::apart, modprobe_settings,
     modules_load_settings, nullptr},
    {"/etc/security/limits.d", ".conf", limits_directories, Below::itself, ".conf", ReadOrder::by_name, limits_settings,
     limits_settings, lines_of<limits_settings>, /*may_be_final=*/true},
    // A line of it that exempts somebody ends the reading. Its place is that of the kind `login_limit`.
    {"/etc/security/limits.d", ".conf", limits_conf_directories, Below::itself, "/limits.conf", ReadOrder::before_all,
     limits_settings, limits_settings, nullptr, /*may_be_final=*/true},
    {"/etc/udev/rules.d", ".rules", rule_directories, Below::itself, ".rules", ReadOrder::by_name, rule_settings,
     own_rule_settings, whole, /*may_be_final=*/true},
    {"/etc/nfs.conf.d", ".conf", nfs_directories, Below::itself, ".conf", ReadOrder::by_version, nfs_settings,
     nfs_settings, nullptr},
    {"/etc/systemd/network", ".link", network_directories, Below::itself, ".link", ReadOrder::by_name, link_settings,
     own_link_settings, link_parts},
    network_drop_ins(".link"),
    network_drop_ins(".network"),
    network_drop_ins(".netdev"),
    mount_drop_ins(".mount"),
    mount_drop_ins(".automount"),
    // A command line may hold passwords. So a record keeps only those of the two services whose commands rdmastate
    // sets.
    service_drop_ins<command_settings>("/etc/systemd/system/nfs-server.service.d"),
    service_drop_ins<command_settings>("/etc/systemd/system/opensm@*.service.d"),
    service_drop_ins<limit_settings>("/etc/systemd/system/*.service.d"),
};

// Whether the row is for a file of rdmastate of this directory and name.
bool is_at(const Row& row, std::string_view directory, std::string_view name) {
  return name.ends_with(row.ours) && is_named_by(row.place, directory);
}

// The directories in which the foreign files lie that are read with this file of rdmastate.
std::vector<std::string> directories_of(const Row& row, std::string_view directory, std::string_view name) {
  std::vector<std::string> found;
  for (const auto place : row.directories) {
    std::string& one = found.emplace_back(place);
    if (row.below == Below::drop_ins) one.append("/").append(name).append(".d");
    if (row.below == Below::our_folder) one.append(directory.substr(directory.rfind('/')));
  }
  return found;
}

}  // namespace

Kept lines_that_set(Settings (*settings)(std::string_view text), const FileToKeep& file) {
  std::string kept;
  for_lines(file.text, [&](std::string_view line) {
    if (!settings(line).empty()) kept.append(line).append("\n");
  });
  return kept_part(std::move(kept));
}

FilePlaces ordered_places() {
  FilePlaces places;
  for (const auto& row : rows) {
    if (row.keep == nullptr) continue;
    for (const auto& directory : directories_of(row, row.place, fmt::format("*{}", row.ours)))
      places.push_back({fmt::format("{}/*{}", directory, row.suffix), row.keep});
  }
  return places;
}

std::vector<Reading> readings_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view directory = std::string_view(path).substr(0, slash);
  const std::string_view name = std::string_view(path).substr(slash + 1);
  std::vector<Reading> readings;
  for (const auto& row : rows)
    if (is_at(row, directory, name))
      readings.push_back({directories_of(row, directory, name), row.suffix, row.order, row.settings, row.own_settings,
                          row.may_be_final});
  return readings;
}

}  // namespace rdmastate
