// SPDX-License-Identifier: Apache-2.0
#include "plan/boot_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/ini.hpp"
#include "host/ordered_files.hpp"
#include "platform/layout.hpp"
#include "platform/read_order.hpp"
#include "resources/unit/on_disk.hpp"

namespace rdmastate {
namespace {

// The first makes what boot.json says at boot, the second does so when a device appears later; the udev rule starts the
// second.
constexpr std::string_view boot_unit = "rdmastate.service";
constexpr std::array<std::string_view, 2> units{boot_unit, "rdmastate-event@.service"};
constexpr std::string_view rule_file = "60-rdmastate.rules";

// The drop-ins of a unit that count, in the order of their names, from NAME.d in each of unit_directories.
std::map<std::string, std::string> drop_ins(const Snapshot& snapshot, std::string_view unit) {
  std::vector<std::string> places;
  for (const auto directory : unit_directories) places.push_back(fmt::format("{}/{}.d", directory, unit));
  const std::vector<std::string_view> views(places.begin(), places.end());
  std::vector<std::string> unseen;  // not used: a directory that this user may not read counts as empty
  return files_that_count(snapshot, views, ".conf", unseen);
}

// The program of the unit's ExecStart=, without a prefix ("-/usr/bin/rdmastate"), which only changes how systemd starts
// it (systemd.service(5)); empty: there is none.
std::string program_of(const Snapshot& snapshot, std::string_view unit, const std::string& path) {
  std::string text = snapshot.read(path).value_or("");
  for (const auto& [name, drop_in] : drop_ins(snapshot, unit)) text += "\n" + snapshot.read(drop_in).value_or("");
  const auto lines = ini::File(ini::systemd, text).values("Service", "ExecStart");
  if (lines.empty()) return {};
  const std::string& line = lines.front();
  const std::size_t from = std::min(line.find('/'), line.size());
  return line.substr(from, line.find_first_of(" \t", from) - from);
}

// Why the unit does not make what boot.json says, and what helps; empty: it does, once it is started.
Pending why_unit_does_not(const Snapshot& snapshot, std::string_view unit) {
  const std::string path = found_unit(snapshot, unit);
  if (path.empty())
    return {
        fmt::format(
            "{} is not installed here, so the next boot does not make everything in this file: install rdmastate's package, or run "
            "`cmake --install` in its source",
            unit),
        Until::package};
  if (is_masking(snapshot, path))
    return {
        fmt::format(
            "{} is masked by {}, so the next boot does not make everything in this file: remove that, as systemctl unmask "
            "does",
            unit, path),
        Until::unit};
  const std::string program = program_of(snapshot, unit, path);
  if (program.empty())
    return {
        fmt::format(
            "{} starts no program, so the next boot does not make everything in this file: correct ExecStart= of {}",
            unit, path),
        Until::unit};
  if (snapshot.stamp(program)) return {};
  return {
      fmt::format(
          "{} starts {}, which is not there, so the next boot does not make everything in this file: install rdmastate's "
          "package, or correct ExecStart= of {}",
          unit, program, path),
      Until::package};
}

// Why udev does not start the second unit when a device appears; empty: it does.
Pending why_no_rule(const Snapshot& snapshot) {
  const std::string path = path_that_counts(snapshot, rule_directories, std::string(rule_file));
  if (path.empty())
    return {
        fmt::format("udev's {} is not installed here, so what comes after {} has run is not made: install rdmastate's "
                    "package",
                    rule_file, boot_unit),
        Until::package};
  if (!is_masking(snapshot, path)) return {};
  return {fmt::format("udev's {} is masked by {}, so what comes after {} has run is not made: remove that link",
                      rule_file, path, boot_unit),
          Until::unit};
}

}  // namespace

BootReader find_boot_reader(const Snapshot& snapshot) {
  BootReader reader;
  const std::string usual(common_layout().wants_link);
  reader.starts =
      (snapshot.exists(usual) && !is_masking(snapshot, usual)) || !links_that_start(snapshot, boot_unit).empty();
  for (const auto unit : units)
    if (reader.missing.empty()) reader.missing = why_unit_does_not(snapshot, unit);
  // Without the unit its own sentence is enough: both files come with the package.
  const bool is_there = !found_unit(snapshot, boot_unit).empty();
  if (const Pending why = why_no_rule(snapshot); is_there && !why.empty())
    reader.missing =
        reader.missing.empty() ? why : Pending{reader.missing.sentence + "; " + why.sentence, reader.missing.until};
  return reader;
}

// Beside the programs that the units name now, the path where a package has rdmastate.
FilePlaces boot_reader_places(const Snapshot& snapshot) {
  FilePlaces places{presence("/usr/bin/rdmastate")};
  for (const auto unit : units) {
    append(places, unit_places(unit));
    for (const auto directory : unit_directories) places.push_back({fmt::format("{}/{}.d/*.conf", directory, unit)});
  }
  for (const auto directory : rule_directories) places.push_back({fmt::format("{}/{}", directory, rule_file)});
  for (const auto unit : units)
    if (const std::string path = found_unit(snapshot, unit); !path.empty())
      if (const std::string program = program_of(snapshot, unit, path); !program.empty())
        places.push_back(presence(program));
  return places;
}

}  // namespace rdmastate
