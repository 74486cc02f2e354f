// SPDX-License-Identifier: Apache-2.0
// Debian starts a unit for each port that its settings list (by_units); elsewhere a launcher starts an OpenSM for each
// port listed (by_guids), else for each opensm.conf.N (by_launcher). What differs before and after is in displaced.cpp.
#include "sections/subnet_manager/in_force.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"
#include "host/mark.hpp"
#include "host/opensm_files.hpp"
#include "host/opensm_options.hpp"
#include "resources/entry/entry.hpp"
#include "resources/file/file.hpp"
#include "sections/subnet_manager/files.hpp"

namespace rdmastate {
namespace {

using SettingsInForce = std::map<std::string, SettingInForce>;

// The file at that path; nullptr where there is none.
const OpensmFile* file_at(std::span<const OpensmFile> files, std::string_view path) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const OpensmFile& one) { return one.path == path; });
  return found == files.end() ? nullptr : &*found;
}

// The value of a setting; empty where it is missing, or there is no file.
std::string setting(const OpensmFile* file, std::string_view name) {
  if (file == nullptr) return {};
  const auto found = file->settings.find(std::string(name));
  return found == file->settings.end() ? std::string() : found->second;
}

// Whether the file is an opensm.conf.N.
bool is_numbered(const OpensmFile& file, const OpensmLayout& layout) {
  return !layout.configs.empty() && file.path.starts_with(layout.configs);
}

std::optional<Guid> port_of(const OpensmFile* file) {
  const auto guids = guids_in(setting(file, "guid"));
  return guids && guids->size() == 1 ? std::optional(guids->front()) : std::nullopt;
}

SettingsInForce settings_of(const OpensmFile* file) {
  SettingsInForce settings;
  if (file == nullptr) return settings;
  for (const auto& [name, value] : file->settings)
    if (name != "guid") settings[name] = {value, file->path, file->ours};
  return settings;
}

// The settings of an instance that a command line (ExecStart) starts, laid over those of its configuration. Options
// that stand for no setting are kept as they are, under the one name "options".
class Command {
 public:
  Command(const OpensmFile& file, std::span<const OpensmFile> files, Guid port, SettingsInForce settings)
      : file_(file), settings_(std::move(settings)) {
    auto parts = split(setting(&file, "ExecStart"), " \t=");
    read_config(parts, files, port);
    for (std::size_t i = 1; i < parts.size(); ++i) take_option(parts, i);
    if (!rest_.empty()) set_by_command("options", rest_);
  }

  const SettingsInForce& settings() const { return settings_; }
  /// The path of the configuration that the command names; empty: it names none, or one that is not among `files`.
  const std::string& config() const { return config_; }

 private:
  void set_by_command(const std::string& name, const std::string& value) {
    settings_[name] = {value, file_.path, file_.ours};
  }

  // Sets a setting in the form that opensm_options_in() gives it. That leaves out OpenSM's default, so a default only
  // removes the setting of the configuration.
  void overrule(const std::string& name, const std::string& value) {
    settings_.erase(name);
    for (const auto& [known, said] : opensm_options_in(fmt::format("{} {}\n", name, value)))
      set_by_command(known, said);
  }

  // Takes the configuration that the last -F or --config names; every other option overrides it, also one that stands
  // before it (seen). A configuration whose settings are not known stays among the options.
  void read_config(std::vector<std::string>& parts, std::span<const OpensmFile> files, Guid port) {
    const auto after =
        std::find_if(parts.rbegin(), parts.rend(), [](const auto& w) { return w == "-F" || w == "--config"; }).base();
    // base() of a reverse iterator is the element behind it: the path. begin(): no configuration is named.
    if (after == parts.begin()) return;
    settings_.clear();
    if (after == parts.end()) return;
    std::string path = *after;
    if (path.ends_with("%I") || path.ends_with("%i")) path.replace(path.size() - 2, 2, opensm_guid(port.value));
    const OpensmFile* config = file_at(files, path);
    if (config == nullptr) return;
    settings_ = settings_of(config);
    config_ = path;
    parts.erase(after - 1, after + 1);
  }

  // Takes the option parts[i]; where it has a value, `i` moves on to that.
  void take_option(const std::vector<std::string>& parts, std::size_t& i) {
    const std::string& word = parts[i];
    const auto is = [&](std::string_view brief, std::string_view whole) { return word == brief || word == whole; };
    if (is("-W", "--allow_both_pkeys")) return set_by_command("allow_both_pkeys", "TRUE");
    const std::string value = i + 1 < parts.size() ? parts[i + 1] : "";
    if (is("-p", "--priority")) return ++i, overrule("sm_priority", value);
    if (is(/*brief=*/"", "--subnet_prefix")) return ++i, overrule("subnet_prefix", value);
    if (is("-g", "--guid") || is("-f", "--log_file")) return void(++i);
    rest_ += (rest_.empty() ? "" : " ") + word;
  }

  const OpensmFile& file_;
  SettingsInForce settings_;
  std::string config_;
  std::string rest_;
};

// The file that gives the instance's command; nullptr where none does. Of drop-ins of one name the instance's own
// counts; of all drop-ins with a command the last by name wins.
const OpensmFile* command_file(std::span<const OpensmFile> files, const OpensmLayout& layout, Guid port) {
  const OpensmFile* found = nullptr;
  std::map<std::string, const OpensmFile*> drop_ins;
  for (const std::string& unit : {std::string(), opensm_guid(port.value)}) {
    const std::string path = fmt::format("{}/opensm@{}.service", layout.drop_ins, unit);
    if (const OpensmFile* whole = file_at(files, path)) found = whole;
    for (const auto& one : files)
      if (one.path.starts_with(path + ".d/")) drop_ins[file_name(one.path)] = &one;
  }
  for (const auto& [name, file] : drop_ins)
    if (file->settings.contains("ExecStart")) found = file;
  return found;
}

// Debian: a subnet manager for each port of the list, with the settings of its unit's command, else of the standard
// configuration. Without a list of GUIDs one entry without a port stands for all.
std::vector<SmInForce> by_units(std::span<const OpensmFile> files, const OpensmLayout& layout) {
  const OpensmFile* settings_file = file_at(files, layout.settings);
  const OpensmFile* standard = file_at(files, layout.standard);
  const std::string ports = setting(settings_file, layout.ports);
  if (ports == "NONE") return {};
  const auto guids = guids_in(ports);
  if (!guids || guids->empty())
    return {{std::nullopt, std::string(layout.settings), /*ours=*/false, settings_of(standard)}};
  std::vector<SmInForce> all;
  for (const Guid port : *guids) {
    const OpensmFile* command = command_file(files, layout, port);
    SettingsInForce settings = settings_of(standard);
    std::string config;
    if (command != nullptr) {
      const Command read(*command, files, port, std::move(settings));
      settings = read.settings();
      config = read.config();
    }
    all.push_back({port, command == nullptr ? std::string(layout.settings) : command->path,
                   command != nullptr && command->ours, std::move(settings), std::move(config)});
  }
  return all;
}

// opensm-launch passes each port a prefix: the usual one to the first, 0xfe80000000000001 to the second, and so on.
std::vector<SmInForce> by_guids(const std::vector<Guid>& guids, std::span<const OpensmFile> files,
                                const OpensmLayout& layout) {
  std::vector<SmInForce> all;
  for (const Guid port : guids) {
    SmInForce one{port, std::string(layout.settings), /*ours=*/false, settings_of(file_at(files, layout.standard))};
    one.settings.erase("subnet_prefix");
    if (!all.empty())
      one.settings["subnet_prefix"] = {fmt::format("0xfe800000000000{:02}", all.size()), one.path, /*ours=*/false};
    all.push_back(std::move(one));
  }
  return all;
}

// RHEL, SUSE: a subnet manager for each listed port, else for each opensm.conf.N, else one by the standard
// configuration.
std::vector<SmInForce> by_launcher(std::span<const OpensmFile> files, const OpensmLayout& layout) {
  const OpensmFile* settings_file = file_at(files, layout.settings);
  const auto guids = guids_in(setting(settings_file, layout.ports));
  if (guids && !guids->empty()) return by_guids(*guids, files, layout);
  std::vector<SmInForce> all;
  for (const auto& one : files)
    if (is_numbered(one, layout)) all.push_back({port_of(&one), one.path, one.ours, settings_of(&one)});
  if (!all.empty()) return all;
  const OpensmFile* standard = file_at(files, layout.standard);
  if (standard == nullptr) return {{std::nullopt, std::string(layout.settings), /*ours=*/false, /*settings=*/{}}};
  return {{port_of(standard), standard->path, standard->ours, settings_of(standard)}};
}

// PRIORITY in sysconfig overrides every configuration; an empty one counts as none.
void add_priority(std::span<const OpensmFile> files, const OpensmLayout& layout, std::vector<SmInForce>& all) {
  const OpensmFile* settings_file = layout.priority.empty() ? nullptr : file_at(files, layout.settings);
  const std::string priority = setting(settings_file, layout.priority);
  if (priority.empty()) return;
  for (auto& one : all) one.settings["sm_priority"] = {priority, settings_file->path, /*ours=*/false};
}

// The file at that path; where `files` has none, one without settings is added.
OpensmFile& file_in(const std::string& path, std::vector<OpensmFile>& files) {
  const auto found = std::find_if(files.begin(), files.end(), [&](const OpensmFile& one) { return one.path == path; });
  return found == files.end() ? files.emplace_back(OpensmFile{path, /*ours=*/false, /*settings=*/{}}) : *found;
}

}  // namespace

std::vector<SmInForce> opensm_in_force(std::span<const OpensmFile> files, const OpensmLayout& layout) {
  if (layout.has_unit_per_port()) return by_units(files, layout);
  auto all = by_launcher(files, layout);
  add_priority(files, layout, all);
  return all;
}

std::vector<OpensmFile> opensm_files_with(std::span<const OpensmFile> files, std::span<const Wanted* const> wanted,
                                          const OpensmLayout& layout) {
  std::vector<OpensmFile> all(files.begin(), files.end());
  for (const Wanted* one : wanted) {
    if (!one->state) continue;
    for (const std::string_view name : {layout.ports, layout.priority})
      if (one->kind == &entry_kind && !name.empty() && one->key == entry_key(layout.settings, name))
        file_in(std::string(layout.settings), all).settings[std::string(name)] = one->state->as<EntryState>().value;
    if (one->kind != &file_kind || !file_of(*one->state).content) continue;
    const std::string& text = file_of(*one->state).content->value;
    // Also where all settings are the defaults: those that the file had before are gone.
    if (auto settings = opensm_settings_of(one->key, text); !settings.empty() || file_at(all, one->key) != nullptr)
      file_in(one->key, all) = {one->key, carries_mark(text), std::move(settings)};
  }
  return all;
}

const OpensmFile* config_of_others(std::span<const OpensmFile> files, const OpensmLayout& layout, Guid port) {
  const auto guids = guids_in(setting(file_at(files, layout.settings), layout.ports));
  if (!guids || !guids->empty()) return nullptr;
  const auto found = std::find_if(files.begin(), files.end(), [&](const OpensmFile& one) {
    return is_numbered(one, layout) && !one.ours && port_of(&one) == port;
  });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace rdmastate
