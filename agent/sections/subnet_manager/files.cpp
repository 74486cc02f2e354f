// SPDX-License-Identifier: Apache-2.0
// Debian: settings (guid_list), and per instance a drop-in (drop_in_text) and a configuration (options_text). RHEL and
// SUSE: settings, or a configuration per instance (config_text). ..._over() edits a foreign file, ..._in() reads one.
#include "sections/subnet_manager/files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/lines.hpp"
#include "base/template.hpp"
#include "host/opensm_files.hpp"
#include "sections/ini_file.hpp"

namespace rdmastate {
namespace {

// The text behind `word`, up to the next blank or the end of the line; empty where `word` is missing.
std::string_view word_after(std::string_view text, std::string_view word) {
  std::size_t at = text.find(word);
  while (at != std::string_view::npos && at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n')
    at = text.find(word, at + 1);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + word.size());
  return text.substr(0, text.find_first_of(" \n"));
}

// An option's value in a configuration; its last line counts. nullopt where it has none.
std::optional<std::string> option_in(std::string_view text, std::string_view name) {
  std::optional<std::string> found;
  for_lines(text, [&](std::string_view line) {
    const OpensmLine said = opensm_line(line);
    if (said.name == name) found = std::string(said.value);
  });
  return found;
}

// The configuration with this value of an option. Where it has this value already, every byte stays; else the option's
// first line is replaced and its other lines are removed, or a line is added at the end.
std::string with_option(std::string_view text, std::string_view name, std::string_view value) {
  if (option_in(text, name) == value) return std::string(text);
  const std::string wanted_line = fmt::format("{} {}\n", name, value);
  std::string made;
  bool is_said = false;
  for_lines(text, [&](std::string_view line) {
    const bool is_it = opensm_line(line).name == name;
    if (!is_it) made.append(line).append("\n");
    if (is_it && !is_said) made += wanted_line;
    is_said = is_said || is_it;
  });
  return is_said ? made : made + wanted_line;
}

std::vector<Values> option_lines(const SmOptions& options) {
  std::vector<Values> lines;
  for (const auto& [option, value] : options)
    lines.push_back({{{"name", option.value}, {"value", sm_option_text(option, value)}}});
  return lines;
}

}  // namespace

bool has_both(const SubnetManagerSection& section) {
  if (!section.partitions) return false;
  return std::any_of(section.partitions->begin(), section.partitions->end(), [](const PartitionRecord& partition) {
    return std::any_of(partition.members.begin(), partition.members.end(),
                       [](const auto& one) { return one.second == Membership::both; });
  });
}

bool needs_configs(const SubnetManagerSection& section, const OpensmLayout& layout) {
  if (layout.configs.empty() || section.instances.empty()) return false;
  const bool own_prefix = section.instances.front().subnet_prefix.value_or(SubnetPrefix{}) != SubnetPrefix{};
  const bool unread = section.partitions && !layout.reads_partitions;
  const bool own_options = !section.instances.front().options.empty();
  return section.instances.size() > 1 || own_prefix || own_options || unread || has_both(section);
}

std::string guid_list(const std::vector<SmInstance>& instances) {
  std::string list;
  for (const auto& one : instances) list += (list.empty() ? "" : " ") + opensm_guid(one.port_guid.value);
  return list;
}

std::optional<std::vector<Guid>> guids_in(std::string_view list) {
  std::vector<Guid> guids;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    const auto guid = value_from<Guid>(list.substr(at, end - at));
    if (!guid && end > at) return std::nullopt;
    if (guid) guids.push_back(*guid);
    at = end + 1;
  }
  return guids;
}

std::string drop_in_path(const OpensmLayout& layout, Guid port) {
  return fmt::format("{}/{}.d/rdmastate.conf", layout.drop_ins, opensm_unit_on(port.value));
}

std::string drop_in_text(const SubnetManagerSection& section, const SmInstance& instance, const OpensmLayout& layout) {
  const bool both = has_both(section);
  const bool has_config = !instance.options.empty();
  if (!instance.priority && !instance.subnet_prefix && !both && !has_config) return {};
  const Values values{{{"has_config", has_config},
                       {"configs", std::string(layout.instance_configs)},
                       {"has_priority", instance.priority.has_value()},
                       {"priority", to_text(instance.priority.value_or(SmPriority{}))},
                       {"has_prefix", instance.subnet_prefix.has_value()},
                       {"subnet_prefix", to_text(instance.subnet_prefix.value_or(SubnetPrefix{}))},
                       {"both", both}}};
  return Template("opensm-instance.conf", escape_opensm).render(values);
}

void read_drop_in(std::string_view text, SmInstance& instance) {
  instance.priority = value_from<SmPriority>(word_after(text, "--priority "));
  instance.subnet_prefix = value_from<SubnetPrefix>(word_after(text, "--subnet_prefix "));
}

std::string options_text(const SmInstance& instance) {
  return Template("opensm-options.conf", escape_opensm_option).render({{{"options", option_lines(instance.options)}}});
}

std::string options_over(std::string_view theirs, const SubnetManagerSection& section, const SmInstance& instance,
                         const OpensmLayout& layout) {
  std::string text(theirs);
  if (section.partitions) text = with_option(text, "partition_config_file", layout.partitions);
  for (const auto& [option, value] : instance.options)
    text = with_option(text, option.value, sm_option_text(option, value));
  return text;
}

std::string log_path(Guid port) { return fmt::format("/var/log/opensm.{}.log", opensm_guid(port.value)); }

std::string config_path(const OpensmLayout& layout, std::size_t index) {
  return fmt::format("{}{}", layout.configs, index + 1);
}

std::string config_text(const SubnetManagerSection& section, const SmInstance& instance, const OpensmLayout& layout) {
  return Template("opensm.conf", escape_opensm_option)
      .render({{{"guid", opensm_guid(instance.port_guid.value)},
                {"priority", to_text(instance.priority.value_or(SmPriority{}))},
                {"subnet_prefix", to_text(instance.subnet_prefix.value_or(SubnetPrefix{}))},
                {"both", std::string(has_both(section) ? "TRUE" : "FALSE")},
                {"partitions", std::string(layout.partitions)},
                {"options", option_lines(instance.options)}}});
}

std::string config_over(std::string_view theirs, const SubnetManagerSection& section, const SmInstance& instance,
                        const OpensmLayout& layout) {
  constexpr std::string_view usual_log = "/var/log/opensm.log";
  std::string text = with_option(theirs, "guid", opensm_guid(instance.port_guid.value));
  if (instance.priority) text = with_option(text, "sm_priority", to_text(*instance.priority));
  if (instance.subnet_prefix) text = with_option(text, "subnet_prefix", to_text(*instance.subnet_prefix));
  if (has_both(section)) text = with_option(text, "allow_both_pkeys", "TRUE");
  if (const auto log = option_in(text, "log_file"); !log || *log == usual_log)
    text = with_option(text, "log_file", log_path(instance.port_guid));
  return options_over(text, section, instance, layout);
}

std::optional<SmInstance> instance_in_config(std::string_view text) {
  const auto said = [&](std::string_view name) { return option_in(text, name).value_or(""); };
  const auto guid = value_from<Guid>(said("guid"));
  if (!guid || guid->value == 0) return std::nullopt;  // 0: OpenSM takes a port of its choice
  return SmInstance{*guid, value_from<SmPriority>(said("sm_priority")), value_from<SubnetPrefix>(said("subnet_prefix")),
                    sm_options_in(text)};
}

}  // namespace rdmastate
