// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/mounts.hpp"

#include <fmt/format.h>

#include <set>

#include "base/ini.hpp"
#include "base/lines.hpp"
#include "host/mounts.hpp"

namespace rdmastate {
namespace {

const std::string units = "/etc/systemd/system/";

// In a unit "%%" stands for "%" (systemd.unit(5), Specifiers).
std::string without_doubled_percent(const std::string& value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    text += value[i];
    if (value[i] == '%' && value.substr(i + 1, 1) == "%") ++i;
  }
  return text;
}

// The line of mountinfo that the kernel has for a started unit, without its newline; empty where the unit mounts
// nothing. The numbers in it are the same for every unit: nothing looks at them.
std::string line_of(const HostModel& model, const std::string& unit) {
  const auto file = model.files.find(units + unit);
  if (file == model.files.end()) return {};
  const ini::File text(ini::systemd, file->second.bytes);
  const auto value = [&](const char* section, const char* key) {
    return with_escaped_blanks(without_doubled_percent(text.value(section, key)));
  };
  if (unit.ends_with(".automount"))
    return fmt::format("40 25 0:40 / {} rw - autofs systemd-1 rw,direct", value("Automount", "Where"));
  if (!unit.ends_with(".mount")) return {};
  return fmt::format("41 25 0:52 / {} rw - nfs4 {} rw,{}", value("Mount", "Where"), value("Mount", "What"),
                     value("Mount", "Options"));
}

// Writes mountinfo with the lines sorted by their bytes: a mount that comes back gets its old place, and automounts
// come before mounts. Without a line the file goes, and so does its directory when nothing else is in it: then the host
// is again as it was before the first mount.
void write_mountinfo(HostModel& model, const std::set<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  if (text.empty()) {
    model.files.erase(mountinfo_path);
    const auto next = model.files.upper_bound("/proc/self/");
    if (next == model.files.end() || !next->first.starts_with("/proc/self/")) model.files.erase("/proc/self");
  } else {
    model.files[mountinfo_path] = {{FileType::regular, 0444, 0, 0}, std::move(text), {}};
    add_parents(model.files);
  }
}

std::set<std::string> lines_in(const HostModel& model) {
  const auto file = model.files.find(mountinfo_path);
  std::set<std::string> lines;
  if (file == model.files.end()) return lines;
  for (auto& line : split(file->second.bytes, "\n")) lines.insert(std::move(line));
  return lines;
}

}  // namespace

void mounting::begin(HostModel& model, const std::string& unit) {
  std::string line = line_of(model, unit);
  if (line.empty()) return;
  auto lines = lines_in(model);
  lines.insert(std::move(line));
  write_mountinfo(model, lines);
}

// A unit's name has its mount point, so this finds the line also of a unit whose file is gone.
void mounting::end(HostModel& model, const std::string& unit) {
  const bool automount = unit.ends_with(".automount");
  auto lines = lines_in(model);
  const std::size_t before = lines.size();
  std::erase_if(lines, [&](const std::string& line) {
    const auto mounts = mounts_from(line);
    return !mounts.empty() && (mounts[0].type == "autofs") == automount &&
           escaped_path(mounts[0].target) + (automount ? ".automount" : ".mount") == unit;
  });
  if (lines.size() != before) write_mountinfo(model, lines);
}

}  // namespace rdmastate
