// SPDX-License-Identifier: Apache-2.0
#include "host/opensm_files.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "base/ascii.hpp"
#include "base/ini.hpp"
#include "base/lines.hpp"
#include "host/look_at.hpp"
#include "host/mark.hpp"
#include "host/snapshot.hpp"

namespace rdmastate {
namespace {

enum class Form : std::uint8_t { number, guid, boolean, text, key };

struct Option {
  std::string_view name;
  Form form;
  std::string_view usual = {};  ///< the default, as in_one_form() writes it; several words: any of them
};

constexpr std::string_view no_text = "(null)";  // what OpenSM writes for none
constexpr std::string_view hidden = "(a secret, not shown)";

// The options that concern the whole subnet: its prefix, LIDs, routes, keys, partitions, and which subnet manager is
// master. Logs and timeouts concern this host alone and are not here.
constexpr std::array options{
    Option{"guid", Form::guid, "0x0000000000000000"},
    Option{"subnet_prefix", Form::guid, "0xfe80000000000000"},
    Option{"sm_priority", Form::number, "0"},
    Option{"lmc", Form::number, "0"},
    Option{"lmc_esp0", Form::boolean},
    Option{"routing_engine", Form::text, "minhop"},
    Option{"connect_roots", Form::boolean},
    Option{"use_ucast_cache", Form::boolean},
    Option{"root_guid_file", Form::text},
    Option{"cn_guid_file", Form::text},
    Option{"io_guid_file", Form::text},
    Option{"ids_guid_file", Form::text},
    Option{"guid_routing_order_file", Form::text},
    Option{"hop_weights_file", Form::text},
    Option{"port_search_ordering_file", Form::text},
    Option{"dimn_ports_file", Form::text},
    Option{"lfts_file", Form::text},
    Option{"lid_matrix_dump_file", Form::text},
    Option{"honor_guid2lid_file", Form::boolean},
    Option{"m_key", Form::key, "0x0000000000000000"},
    Option{"sm_key", Form::key, "0x0000000000000001"},
    Option{"sa_key", Form::key, "0x0000000000000001"},
    Option{"partition_config_file", Form::text, "/etc/opensm/partitions.conf /etc/rdma/partitions.conf"},
    Option{"no_partition_enforcement", Form::boolean},
    Option{"part_enforce", Form::text, "both"},
    Option{"allow_both_pkeys", Form::boolean},
    Option{"sm_assigned_guid", Form::number, "0"},
    Option{"disable_multicast", Form::boolean},
    Option{"qos", Form::boolean},
    Option{"max_op_vls", Form::number, "5"},
    Option{"congestion_control", Form::boolean},
};

constexpr std::array<std::string_view, 2> standard_files{"/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"};
constexpr std::string_view config_directory = "/etc/rdma";
constexpr std::string_view config_prefix = "opensm.conf.";
constexpr std::array<std::string_view, 2> entry_files{"/etc/default/opensm", "/etc/sysconfig/opensm"};
constexpr std::string_view unit_directory = "/etc/systemd/system";
constexpr std::string_view unit_prefix = "opensm@";

const Option* option_named(std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const Option& one) { return one.name == name; });
  return found == options.end() ? nullptr : found;
}

// A hexadecimal number after 0x, else a decimal one; nullopt: it is neither.
std::optional<std::uint64_t> number_in(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  if (failure != std::errc{} || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The value as OpensmFile::settings has it, so that equal values are equal texts.
std::string in_one_form(const Option& option, std::string_view value) {
  const auto number = number_in(value);
  switch (option.form) {
    case Form::number:
      return number ? std::to_string(*number) : std::string(value);
    case Form::guid:
    case Form::key:
      return number ? fmt::format("{:#018x}", *number) : std::string(value);
    case Form::boolean:
      return value == "TRUE" ? "TRUE" : "";  // opts_parse_boolean
    case Form::text:
      break;
  }
  return value == no_text ? std::string() : std::string(value);
}

// Whether the value, in one form, is the option's default.
bool is_usual(const Option& option, const std::string& value) {
  const auto usual = words(option.usual);
  return value.empty() || std::find(usual.begin(), usual.end(), value) != usual.end();
}

bool is_config(std::string_view name) {
  const std::size_t at = config_prefix.size();
  return name.starts_with(config_prefix) && name.size() > at && ascii::is_digit(name[at]);
}

bool is_unit(std::string_view path) { return path.ends_with(".service") || path.ends_with(".conf"); }

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& all, std::string_view path) {
  return std::find(all.begin(), all.end(), path) != all.end();
}

std::map<std::string, std::string> entries_in(std::string_view text) {
  const ini::File file(ini::shell, text);
  std::map<std::string, std::string> found;
  for (const char* name : {"PORTS", "GUIDS", "PRIORITY"})
    if (file.find("", name) != nullptr) found.emplace(name, file.value("", name));
  return found;
}

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
    each_in(config_directory, is_config, [&](const std::string& path) { add(path); });
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
    if (const Option* option = option_named(said.name))
      found[std::string(said.name)] = in_one_form(*option, said.value);
  });
  std::erase_if(found, [](const auto& one) { return is_usual(*option_named(one.first), one.second); });
  for (auto& [name, value] : found)
    if (option_named(name)->form == Form::key) value = hidden;
  return found;
}

// A default key is no secret, and a plan of the record has to see that it is the default.
Kept kept_opensm_config(const FileToKeep& file) {
  std::string text;
  for_lines(file.text, [&](std::string_view line) {
    const OpensmLine said = opensm_line(line);
    const Option* option = option_named(said.name);
    const bool is_secret =
        option != nullptr && option->form == Form::key && !is_usual(*option, in_one_form(*option, said.value));
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
  if (is_one_of(entry_files, path)) return entries_in(text);
  if (is_one_of(standard_files, path)) return opensm_options_in(text);
  const std::size_t slash = path.rfind('/');
  const std::string_view name = std::string_view(path).substr(slash + 1);
  if (std::string_view(path).substr(0, slash) == config_directory && is_config(name)) return opensm_options_in(text);
  const std::string units = fmt::format("{}/{}", unit_directory, unit_prefix);
  return path.starts_with(units) && is_unit(path) ? command_in(text) : std::map<std::string, std::string>();
}

}  // namespace rdmastate
