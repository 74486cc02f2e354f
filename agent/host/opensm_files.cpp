// SPDX-License-Identifier: Apache-2.0
// Reader::read() goes through the paths of all distributions; opensm_settings_of() chooses by a file's path how its
// text is read: entries_in(), opensm_options_in() or command_in().
#include "host/opensm_files.hpp"

#include <fmt/format.h>

#include <array>

#include "base/ascii.hpp"
#include "base/ini.hpp"
#include "base/lines.hpp"
#include "base/one_of.hpp"
#include "host/look_at.hpp"
#include "host/mark.hpp"
#include "host/opensm_options.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view hidden = "(a secret, not shown)";

constexpr std::array<std::string_view, 2> standard_files{"/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"};
constexpr std::array<std::string_view, 2> config_directories{"/etc/opensm", "/etc/rdma"};
constexpr std::string_view config_prefix = "opensm.conf.";
constexpr std::array<std::string_view, 2> entry_files{"/etc/default/opensm", "/etc/sysconfig/opensm"};
constexpr std::string_view unit_directory = "/etc/systemd/system";
constexpr std::string_view unit_prefix = "opensm@";

// "opensm.conf.1" of the launcher, "opensm.conf.0x0002c903..." of an instance.
bool is_config(std::string_view name) {
  const std::size_t at = config_prefix.size();
  return name.starts_with(config_prefix) && name.size() > at && ascii::is_digit(name[at]);
}

// A unit or one of its drop-ins.
bool is_unit(std::string_view path) { return path.ends_with(".service") || path.ends_with(".conf"); }

// The settings of /etc/default/opensm or /etc/sysconfig/opensm.
std::map<std::string, std::string> entries_in(std::string_view text) {
  const ini::File file(ini::shell, text);
  std::map<std::string, std::string> found;
  for (const char* name : {"PORTS", "GUIDS", "PRIORITY"})
    if (file.find("", name) != nullptr) found.emplace(name, file.value("", name));
  return found;
}

// The setting of a unit or drop-in: its last ExecStart=; empty where it has none.
std::map<std::string, std::string> command_in(std::string_view text) {
  const auto lines = ini::File(ini::systemd, text).values("Service", "ExecStart");
  if (lines.empty()) return {};
  return {{"ExecStart", lines.back()}};
}

// Reads the files of all families of distributions, wherever they lie.
class Reader {
 public:
  Reader(const Snapshot& snapshot, std::vector<std::string>& unseen) : snapshot_(snapshot), unseen_(unseen) {}

  std::vector<OpensmFile> read() {
    for (const auto path : entry_files) add(std::string(path));
    for (const auto path : standard_files) add(std::string(path));
    for (const auto directory : config_directories)
      each_in(directory, is_config, [&](const std::string& path) { add(path); });
    const auto is_instance = [](std::string_view name) { return name.starts_with(unit_prefix); };
    each_in(unit_directory, is_instance,
            [&](const std::string& path) { path.ends_with(".d") ? add_drop_ins(path) : add(path); });
    return std::move(files_);
  }

 private:
  void add_drop_ins(const std::string& directory) {
    const auto is_drop_in = [](std::string_view name) { return name.ends_with(".conf"); };
    each_in(directory, is_drop_in, [&](const std::string& path) { add(path); });
  }

  // Calls each(path) for the entries of the directory whose names fit, in order of their names.
  template <class Fits, class Each>
  void each_in(std::string_view directory, Fits&& fits, Each&& each) {
    const std::string place(directory);
    std::vector<std::string> names;
    look_at(place, unseen_, [&] { names = snapshot_.list(place); });
    std::sort(names.begin(), names.end());
    for (const auto& name : names)
      if (fits(name)) each(place + "/" + name);
  }

  void add(const std::string& path) {
    look_at(path, unseen_, [&] {
      if (const auto text = snapshot_.read(path))
        files_.push_back({path, carries_mark(*text), opensm_settings_of(path, *text)});
    });
  }

  const Snapshot& snapshot_;
  std::vector<std::string>& unseen_;
  std::vector<OpensmFile> files_;
};

}  // namespace

std::vector<OpensmFile> read_opensm_files(const Snapshot& snapshot, std::vector<std::string>& unseen) {
  return Reader(snapshot, unseen).read();
}

OpensmLine opensm_line(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  std::string_view value = trimmed(line.substr(end));
  const char quote = value.size() < 2 ? '\0' : value.front();
  if ((quote == '"' || quote == '\'') && value.back() == quote) value = value.substr(1, value.size() - 2);
  return {line.substr(0, end), value};
}

// A later line of a name overwrites an earlier one.
std::map<std::string, std::string> opensm_options_in(std::string_view text) {
  std::map<std::string, std::string> found;
  for_lines(text, [&](std::string_view line) {
    const OpensmLine said = opensm_line(line);
    if (const OpensmOption* option = opensm_option(said.name))
      found[std::string(said.name)] = opensm_value(*option, said.value);
  });
  std::erase_if(found, [](const auto& one) { return is_usual(*opensm_option(one.first), one.second); });
  for (auto& [name, value] : found)
    if (opensm_option(name)->form == OpensmForm::key) value = hidden;
  return found;
}

// A default key is no secret, and a plan of the record has to see that it is the default.
Kept kept_opensm_config(const FileToKeep& file) {
  std::string text;
  for_lines(file.text, [&](std::string_view line) {
    const OpensmLine said = opensm_line(line);
    const OpensmOption* option = opensm_option(said.name);
    const bool is_secret =
        option != nullptr && option->form == OpensmForm::key && !is_usual(*option, opensm_value(*option, said.value));
    text += is_secret ? fmt::format("{} {}\n", said.name, hidden) : fmt::format("{}\n", line);
  });
  return kept_part(std::move(text));
}

FilePlaces opensm_unit_places() {
  const auto keep = [](const FileToKeep& file) {
    const auto command = command_in(file.text);
    return kept_part(command.empty() ? "" : fmt::format("[Service]\nExecStart={}\n", command.at("ExecStart")));
  };
  const std::string units = fmt::format("{}/{}*.service", unit_directory, unit_prefix);
  return {{units, keep}, {units + ".d/*.conf", keep}};
}

std::map<std::string, std::string> opensm_settings_of(const std::string& path, std::string_view text) {
  if (is_one_of(path, entry_files)) return entries_in(text);
  if (is_one_of(path, standard_files)) return opensm_options_in(text);
  const std::size_t slash = path.rfind('/');
  const std::string_view name = std::string_view(path).substr(slash + 1);
  if (is_one_of(std::string_view(path).substr(0, slash), config_directories) && is_config(name))
    return opensm_options_in(text);
  const std::string units = fmt::format("{}/{}", unit_directory, unit_prefix);
  return path.starts_with(units) && is_unit(path) ? command_in(text) : std::map<std::string, std::string>();
}

}  // namespace rdmastate
