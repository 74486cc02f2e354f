// SPDX-License-Identifier: Apache-2.0
#include "platform/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/ini.hpp"
#include "base/lines.hpp"
#include "base/systemd_size.hpp"
#include "host/install_line.hpp"
#include "host/parameter_value.hpp"
#include "platform/limits_conf.hpp"

namespace rdmastate {
namespace {

// The name of a module or parameter as the kernel spells it, with _ for -.
std::string kernels_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// To modprobe a line that ends in a backslash continues on the next line.
template <class Each>
void for_joined_lines(std::string_view text, Each&& each) {
  std::string joined;
  for_lines(text, [&](std::string_view line) {
    joined += line;
    if (joined.ends_with('\\')) return joined.pop_back();
    each(std::string_view(joined));
    joined.clear();
  });
  if (!joined.empty()) each(std::string_view(joined));
}

// Only its module knows a parameter's type. So every value is compared in one form: Y as 1, N as 0, and a number in
// decimal, which is what printed_like() makes of it with the model "0".
std::string option_value(const std::string& value) {
  if (value == "Y" || value == "y") return "1";
  if (value == "N" || value == "n") return "0";
  return printed_like("0", value);
}

void add_options(const std::vector<std::string>& line, Settings& settings) {
  for (std::size_t i = 2; i < line.size(); ++i) {
    const std::size_t equals = line[i].find('=');
    if (equals == std::string::npos) continue;
    const std::string name = kernels_name(line[i].substr(0, equals));
    const std::string value = line[i].substr(equals + 1);
    settings.push_back({fmt::format("options {} {}", kernels_name(line[1]), name), option_value(value),
                        fmt::format("options {} {}={}", line[1], name, value)});
  }
}

std::string load_setting(const std::string& module) { return "load " + kernels_name(module); }

// LimitMEMLOCK's "8G:infinity" with its sizes in bytes; nullopt: systemd does not read it.
std::optional<std::string> limit_in_bytes(std::string_view text) {
  const auto limit = systemd_limit(text);
  if (!limit) return std::nullopt;
  const auto said = [](std::uint64_t bytes) { return bytes == systemd_infinity ? "infinity" : std::to_string(bytes); };
  return said(limit->soft) + ":" + said(limit->hard);
}

std::optional<std::string> unit_value(const std::string& key, const std::string& value) {
  return key == "LimitMEMLOCK" ? limit_in_bytes(value) : value;
}

// Whether a key of systemd's files may stand several times: a file of others then adds to ours and takes nothing away.
bool is_list(const std::string& section, const std::string& key) {
  constexpr std::array<std::string_view, 4> sections{"Unit", "Install", "Address", "Route"};
  constexpr std::array<std::string_view, 4> keys{"DNS", "Domains", "IPoIB", "Environment"};
  return std::find(sections.begin(), sections.end(), section) != sections.end() ||
         std::find(keys.begin(), keys.end(), key) != keys.end();
}

// What unit_settings() reads of these: each a key, "[Service] LimitMEMLOCK", or a section, "[Mount] ".
Settings unit_settings_of(std::initializer_list<std::string_view> wanted, std::string_view text) {
  Settings settings = unit_settings(text);
  std::erase_if(settings, [&](const Setting& one) {
    return std::none_of(wanted.begin(), wanted.end(), [&](std::string_view what) {
      return what.ends_with(' ') ? one.what.starts_with(what) : one.what == what;
    });
  });
  return settings;
}

// "y" for a value that nfs-utils reads as yes, else the value.
std::string yes_or_no(const std::string& value) {
  constexpr std::array<std::string_view, 6> yes{"1", "t", "true", "y", "yes", "on"};  // conf_get_bool
  return std::find(yes.begin(), yes.end(), ascii::lower(value)) == yes.end() ? value : "y";
}

}  // namespace

Settings modprobe_settings(std::string_view text) {
  Settings settings;
  for_joined_lines(text, [&](std::string_view line) {
    const auto parts = words(trimmed(line));
    if (parts.size() < 2) return;
    const std::string as_written(trimmed(line));
    if (parts[0] == "options") add_options(parts, settings);
    if (parts[0] == "blacklist") settings.push_back({load_setting(parts[1]), "no", as_written});
    if (parts[0] != "install" || parts.size() < 3) return;
    const std::string command = loads_nothing(parts[2]) ? "nothing" : fmt::format("{}", fmt::join(parts, " "));
    settings.push_back({"install " + kernels_name(parts[1]), command, as_written, /*first=*/true});
    if (loads_nothing(parts[2])) settings.push_back({load_setting(parts[1]), "no", as_written});
  });
  return settings;
}

Settings modules_load_settings(std::string_view text) {
  Settings settings;
  for_lines(text, [&](std::string_view line) {
    const std::string name(trimmed(line));
    if (!name.empty() && name[0] != '#' && name[0] != ';') settings.push_back({load_setting(name), "yes", name});
  });
  return settings;
}

Settings limits_settings(std::string_view text) {
  Settings settings;
  for (const auto& line : limits_conf_lines(text)) {
    const auto add = [&](const char* type, std::string value) {
      settings.push_back({fmt::format("{} {} memlock", line.domain, type), std::move(value), line.text});
      settings.back().final = line.exempts();
    };
    if (line.exempts()) {
      for (const char* type : {"soft", "hard"}) add(type, "none set");
      continue;
    }
    if (line.item != "memlock" || line.value.empty()) continue;
    const bool is_none = line.value == "-1" || line.value == "-" || line.value == "infinity";
    const std::string value = is_none ? "unlimited" : line.value;
    if (line.is_soft()) add("soft", value);
    if (line.is_hard()) add("hard", value);
  }
  return settings;
}

Settings nfs_settings(std::string_view text) {
  const ini::File file(ini::nfs_conf, text);
  Settings settings;
  for (const char* key : {"rdma", "rdma-port", "threads"}) {
    const ini::Entry* entry = file.find("nfsd", key);
    if (entry == nullptr) continue;
    const std::string value = entry->key == "rdma" ? yes_or_no(entry->value) : entry->value;
    settings.push_back({"nfsd." + entry->key, value, fmt::format("{}={}", entry->key, entry->value)});
  }
  return settings;
}

Settings unit_settings(std::string_view text) {
  const ini::File file(ini::systemd, text);
  Settings settings;
  for (const auto& entry : file.entries()) {
    const std::string& section = file.section(entry);
    const std::string what = fmt::format("[{}] {}", section, entry.key);
    const auto value = unit_value(entry.key, entry.value);
    if (section.empty() || is_list(section, entry.key) || !value) continue;
    // In one file the last assignment counts.
    std::erase_if(settings, [&](const Setting& one) { return one.what == what; });
    settings.push_back({what, *value, fmt::format("{}={}", entry.key, entry.value)});
  }
  return settings;
}

Settings network_settings(std::string_view text) {
  return unit_settings_of({"[Match] ", "[Link] ", "[Network] ", "[NetDev] ", "[IPoIB] "}, text);
}
Settings mount_settings(std::string_view text) { return unit_settings_of({"[Mount] ", "[Automount] "}, text); }
Settings limit_settings(std::string_view text) { return unit_settings_of({"[Service] LimitMEMLOCK"}, text); }
Settings command_settings(std::string_view text) { return unit_settings_of({"[Service] ExecStart"}, text); }

}  // namespace rdmastate
