// SPDX-License-Identifier: Apache-2.0
// `rows` is the table by which readings_of() finds what is read with a file. The functions behind it say for
// ordered_places() what a record keeps of each foreign file.
#include "platform/read_order.hpp"

#include <fmt/format.h>

#include <span>

#include "base/ini.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

constexpr std::array<std::string_view, 5> modprobe_directories{
    "/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d", "/lib/modprobe.d"};
// The second is pam's where a distribution keeps its own files below /usr.
constexpr std::array<std::string_view, 2> limits_directories{"/etc/security/limits.d", "/usr/etc/security/limits.d"};
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
  /// The directory of rdmastate's files; "PREFIX*": each directory whose path begins with PREFIX and ends in ".d".
  std::string_view place;
  std::string_view ours;                          ///< how the names of rdmastate's files end there
  std::span<const std::string_view> directories;  ///< the program's, the strongest first
  Below below;
  std::string_view suffix;  ///< how the names of foreign files end
  Order order;
  Settings (*settings)(std::string_view);      ///< reads a file of others
  Settings (*own_settings)(std::string_view);  ///< reads a file of rdmastate
};

constexpr Row rows[] = {
    {"/etc/modprobe.d", ".conf", modprobe_directories, Below::itself, ".conf", Order::by_name, modprobe_settings,
     modprobe_settings},
    // systemd-modules-load obeys modprobe.d where that keeps a module away (KMOD_PROBE_APPLY_BLACKLIST). Lists of
    // modules add up, so none of them is read here.
    {"/etc/modules-load.d", ".conf", modprobe_directories, Below::itself, ".conf", Order::apart, modprobe_settings,
     modules_load_settings},
    {"/etc/security/limits.d", ".conf", limits_directories, Below::itself, ".conf", Order::by_name, limits_settings,
     limits_settings},
    {"/etc/udev/rules.d", ".rules", rule_directories, Below::itself, ".rules", Order::by_name, rule_settings,
     own_rule_settings},
    {"/etc/nfs.conf.d", ".conf", nfs_directories, Below::itself, ".conf", Order::by_version, nfs_settings,
     nfs_settings},
    {"/etc/systemd/network", ".link", network_directories, Below::itself, ".link", Order::by_name, link_settings,
     own_link_settings},
    // Drop-ins. Another .network or .netdev file for the same interface is a claim
    // (sections/ipoib/backends/claimants.cpp).
    {"/etc/systemd/network", "", network_directories, Below::drop_ins, ".conf", Order::apart, unit_settings,
     unit_settings},
    {"/etc/systemd/system", "", unit_directories, Below::drop_ins, ".conf", Order::apart, unit_settings, unit_settings},
    {"/etc/systemd/system/*", ".conf", unit_directories, Below::our_folder, ".conf", Order::by_name, unit_settings,
     unit_settings},
};

// Keeps the lines of which `settings` makes a setting.
template <Settings (*settings)(std::string_view)>
Kept lines_of(const FileToKeep& file) {
  std::string kept;
  for_lines(file.text, [&](std::string_view line) {
    if (!settings(line).empty()) kept.append(line).append("\n");
  });
  return kept_part(std::move(kept));
}

// Keeps a file of udev's rules as it is: rules go over several lines and jump over each other, and hold no secrets.
Kept whole(const FileToKeep&) { return {Kept::How::whole}; }

// Keeps of a unit's drop-in LimitMEMLOCK, [Mount] and [Automount].
Kept limits_and_mounts(const FileToKeep& from) {
  const ini::File file(ini::systemd, from.text);
  std::string kept;
  for (const auto& entry : file.entries()) {
    const std::string& section = file.section(entry);
    const bool is_mount = section == "Mount" || section == "Automount";
    if (is_mount || entry.key == "LimitMEMLOCK") kept += fmt::format("[{}]\n{}={}\n", section, entry.key, entry.value);
  }
  return kept_part(std::move(kept));
}

// Keeps of a .link, .network or .netdev file, or of a drop-in of it, [Match], Name= and MTUBytes=.
Kept link_parts(const FileToKeep& from) {
  const ini::File file(ini::systemd, from.text);
  std::string kept;
  for (const auto& entry : file.entries())
    if (file.section(entry) == "Match" || entry.key == "Name" || entry.key == "MTUBytes")
      kept += fmt::format("[{}]\n{}={}\n", file.section(entry), entry.key, entry.value);
  return kept_part(std::move(kept));
}

// Whether the row is for a file of rdmastate of this directory and name.
bool is_at(const Row& row, std::string_view directory, std::string_view name) {
  if (!name.ends_with(row.ours)) return false;
  if (!row.place.ends_with('*')) return directory == row.place;
  return directory.starts_with(row.place.substr(0, row.place.size() - 1)) && directory.ends_with(".d");
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

FilePlaces ordered_places() {
  FilePlaces places;
  const auto add = [&](std::span<const std::string_view> directories, std::string_view files,
                       Kept (*keep)(const FileToKeep&)) {
    for (const auto directory : directories) places.push_back({fmt::format("{}/{}", directory, files), keep});
  };
  add(modprobe_directories, "*.conf", lines_of<modprobe_settings>);
  add(limits_directories, "*.conf", lines_of<limits_settings>);
  add(rule_directories, "*.rules", whole);
  add(network_directories, "*.link", link_parts);
  for (const char* files : {"*.link.d/*.conf", "*.network.d/*.conf", "*.netdev.d/*.conf"})
    add(network_directories, files, link_parts);
  for (const char* files : {"*.service.d/*.conf", "*.mount.d/*.conf", "*.automount.d/*.conf"})
    add(unit_directories, files, limits_and_mounts);
  return places;
}

std::vector<Reading> readings_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view directory = std::string_view(path).substr(0, slash);
  const std::string_view name = std::string_view(path).substr(slash + 1);
  std::vector<Reading> readings;
  for (const auto& row : rows)
    if (is_at(row, directory, name))
      readings.push_back({directories_of(row, directory, name), row.suffix, row.order, row.settings, row.own_settings});
  return readings;
}

}  // namespace rdmastate
