// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/units.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/ini.hpp"
#include "base/json_object.hpp"
#include "base/systemd_size.hpp"
#include "host/ordered_files.hpp"
#include "host/recorded/mounts.hpp"
#include "host/recorded/netplan.hpp"
#include "host/recorded/nfsd.hpp"

namespace rdmastate {
namespace {

// A process number that no unit has.
std::uint32_t next_pid(const RecordedSystemd& systemd) {
  constexpr std::uint32_t first = 1000;
  std::uint32_t pid = first;
  for (const auto& [name, unit] : systemd.units) pid = std::max(pid, unit.main_pid + 1);
  return pid;
}

// The text of a unit's file, then of its drop-ins in order of their names: the last value of a setting counts.
std::string text_of(const HostModel& model, const std::string& unit) {
  std::map<std::string, std::string> drop_ins;
  std::string text;
  for (const auto directory : unit_directories) {
    const std::string path = fmt::format("{}/{}", directory, unit);
    if (const auto file = model.files.find(path); file != model.files.end() && text.empty()) text = file->second.bytes;
    const std::string below = path + ".d/";
    for (auto file = model.files.lower_bound(below); file != model.files.end() && file->first.starts_with(below);
         ++file)
      drop_ins.emplace(file->first.substr(below.size()), file->second.bytes);
  }
  for (const auto& [name, bytes] : drop_ins) text += "\n" + bytes;
  return text;
}

// LimitMEMLOCK= of the unit's files. DefaultLimitMEMLOCK= is 8M (systemd-system.conf(5)).
MemlockLimit limit_of(const HostModel& model, const std::string& unit) {
  constexpr std::uint64_t usual = 8U << 20U;
  const auto said = systemd_limit(ini::File(ini::systemd, text_of(model, unit)).value("Service", "LimitMEMLOCK"));
  return said ? MemlockLimit{{said->soft}, {said->hard}} : MemlockLimit{{usual}, {usual}};
}

MemlockLimit limit_from(JsonObject& in) { return {in.value<MemorySize>("soft"), in.value<MemorySize>("hard")}; }

Json json_of(const MemlockLimit& limit) { return {{"soft", to_text(limit.soft)}, {"hard", to_text(limit.hard)}}; }

}  // namespace

bool has_unit(const HostModel& model, const std::string& unit) {
  for (const auto directory : unit_directories) {
    const auto file = model.files.find(fmt::format("{}/{}", directory, unit));
    if (file == model.files.end()) continue;
    return !is_masking(file->second);
  }
  const std::string of = template_of(unit);
  return !of.empty() && has_unit(model, of);
}

bool RecordedUnits::answers() {
  ++log_.reads.managers;
  return model_.systemd.has_value();
}

RecordedSystemd& RecordedUnits::systemd(const std::string& doing) {
  if (!model_.systemd) throw Error(doing + ": systemd does not answer on the bus");
  return *model_.systemd;
}

void RecordedUnits::check(const std::string& unit, const std::string& doing) {
  systemd(doing);
  if (!has_unit(model_, unit) && !model_.systemd->units.contains(unit))
    throw Error(doing + ": there is no such unit, or it is masked");
}

std::optional<UnitLook> RecordedUnits::look(const std::string& unit) {
  ++log_.reads.managers;
  const RecordedSystemd& known = systemd("asking for " + unit);
  if (unit.ends_with("@.service")) throw Error(fmt::format("asking for {}: it has no name of an instance", unit));
  const auto active = known.units.find(unit);
  if (active == known.units.end()) return has_unit(model_, unit) ? std::optional(UnitLook{}) : std::nullopt;
  UnitLook look{/*active=*/true, active->second.main_pid, active->second.memlock};
  look.lost_device = active->second.lost_device;
  look.older = active->second.older;
  look.needs_reload = active->second.needs_reload || has_changed(unit);
  return look;
}

// At the first look, the unit's files count as those that systemd has read.
bool RecordedUnits::has_changed(const std::string& unit) {
  const std::string now = text_of(model_, unit);
  return read_.emplace(unit, now).first->second != now;
}

std::vector<std::string> RecordedUnits::services() {
  ++log_.reads.managers;
  std::vector<std::string> names;
  for (const auto& [name, unit] : systemd("asking for services").units)
    if (name.ends_with(".service")) names.push_back(name);
  return names;
}

void RecordedUnits::begin(const std::string& unit) {
  RecordedUnit started;
  if (unit.ends_with(".service")) started = {next_pid(*model_.systemd), limit_of(model_, unit)};
  if (!model_.systemd->units.emplace(unit, started).second) return;
  if (unit == nfs_server_name) nfsd::start(model_);
  mounting::begin(model_, unit);
}

void RecordedUnits::end(const std::string& unit) {
  if (model_.systemd->units.erase(unit) == 0) return;
  if (unit == nfs_server_name) nfsd::stop(model_);
  mounting::end(model_, unit);
}

void RecordedUnits::start(const std::string& unit) {
  const std::string doing = "starting " + unit;
  check(unit, doing);
  log_.move(doing, [&] { begin(unit); });
}

void RecordedUnits::stop(const std::string& unit) {
  const std::string doing = "stopping " + unit;
  check(unit, doing);
  log_.move(doing, [&] { end(unit); });
}

void RecordedUnits::restart(const std::string& unit) {
  const std::string doing = "restarting " + unit;
  check(unit, doing);
  log_.move(doing, [&] {
    end(unit);
    begin(unit);
  });
}

void RecordedUnits::reread(const std::string& unit) {
  const std::string doing = "making " + unit + " read its configuration again";
  if (!systemd(doing).units.contains(unit)) throw Error(doing + ": it does not run");
  log_.move(doing, [&] {
    if (unit == nfs_server_name) nfsd::export_files(model_);
  });
}

void RecordedUnits::hang_up(const std::string& unit) {
  const std::string doing = "sending SIGHUP to " + unit;
  const auto& units = systemd(doing).units;
  const auto found = units.find(unit);
  if (found == units.end() || found->second.main_pid == 0) throw Error(doing + ": it has no main process");
  log_.move(doing, [] {});
}

void RecordedUnits::reload() {
  const std::string doing = "making systemd read its files again";
  systemd(doing);
  log_.move(doing, [&] {
    read_.clear();
    for (auto& [name, unit] : model_.systemd->units) unit.needs_reload = false;
    generate_in_place(model_);
  });
}

void read_units(JsonObject& systemd, RecordedSystemd& read) {
  systemd.each_member("units", [&](const std::string& name, const Json& value, const std::string& path) {
    JsonObject in(value, path);
    RecordedUnit unit{in.number_or("main_pid", 0)};
    in.with("memlock", [&](JsonObject& limit) { unit.memlock = limit_from(limit); });
    unit.needs_reload = in.flag_or("needs_reload", false);
    unit.lost_device = in.flag_or("lost_device", false);
    in.with("older", [&](JsonObject& older) {
      unit.older = OlderProcesses{older.number("count"), older.text("command"), limit_from(older)};
    });
    read.units.emplace(name, unit);
    in.finish();
  });
}

Json units_json(const RecordedSystemd& systemd) {
  Json out = Json::object();
  for (const auto& [name, unit] : systemd.units) {
    Json one = Json::object();
    if (unit.main_pid != 0) one["main_pid"] = unit.main_pid;
    if (unit.memlock) one["memlock"] = json_of(*unit.memlock);
    if (unit.needs_reload) one["needs_reload"] = true;
    if (unit.lost_device) one["lost_device"] = true;
    if (unit.older) {
      Json& older = one["older"] = json_of(unit.older->memlock);
      older["count"] = unit.older->count;
      older["command"] = unit.older->command;
    }
    out.add(name, std::move(one));
  }
  return out;
}

Json units_without_numbers(const RecordedSystemd& systemd) {
  RecordedSystemd copy = systemd;
  for (auto& [name, unit] : copy.units) {
    unit.main_pid = 0;
    unit.needs_reload = false;
  }
  return units_json(copy);
}

}  // namespace rdmastate
