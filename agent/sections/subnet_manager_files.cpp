// SPDX-License-Identifier: Apache-2.0
#include "sections/subnet_manager_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/template.hpp"

namespace rdmastate {
namespace {

template <class T>
std::optional<T> value_in(std::string_view text) {
  T value;
  if (text.empty() || Text<T>::read({text, true}, value)) return std::nullopt;
  return value;
}

// What stands behind the word, up to the next blank.
std::string_view word_after(std::string_view text, std::string_view word) {
  std::size_t at = text.find(word);
  while (at != std::string_view::npos && at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n')
    at = text.find(word, at + 1);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + word.size());
  return text.substr(0, text.find_first_of(" \n"));
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
  return section.instances.size() > 1 || own_prefix || unread || has_both(section);
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
    const auto guid = value_in<Guid>(list.substr(at, end - at));
    if (!guid && end > at) return std::nullopt;
    if (guid) guids.push_back(*guid);
    at = end + 1;
  }
  return guids;
}

std::string drop_in_path(const OpensmLayout& layout, Guid port) {
  return fmt::format("{}/opensm@{}.service.d/rdmastate.conf", layout.drop_ins, opensm_guid(port.value));
}

std::string drop_in_text(const SubnetManagerSection& section, const SmInstance& instance) {
  const bool both = has_both(section);
  if (!instance.priority && !instance.subnet_prefix && !both) return {};
  const Values values{{{"has_priority", instance.priority.has_value()},
                       {"priority", to_text(instance.priority.value_or(SmPriority{}))},
                       {"has_prefix", instance.subnet_prefix.has_value()},
                       {"subnet_prefix", to_text(instance.subnet_prefix.value_or(SubnetPrefix{}))},
                       {"both", both}}};
  return Template("opensm-instance.conf", escape_opensm).render(values);
}

void read_drop_in(std::string_view text, SmInstance& instance) {
  instance.priority = value_in<SmPriority>(word_after(text, "--priority "));
  instance.subnet_prefix = value_in<SubnetPrefix>(word_after(text, "--subnet_prefix "));
}

std::string config_path(const OpensmLayout& layout, std::size_t index) {
  return fmt::format("{}{}", layout.configs, index + 1);
}

std::string config_text(const SubnetManagerSection& section, const SmInstance& instance, const OpensmLayout& layout) {
  return Template("opensm.conf", escape_opensm)
      .render({{{"guid", opensm_guid(instance.port_guid.value)},
                {"priority", to_text(instance.priority.value_or(SmPriority{}))},
                {"subnet_prefix", to_text(instance.subnet_prefix.value_or(SubnetPrefix{}))},
                {"both", std::string(has_both(section) ? "TRUE" : "FALSE")},
                {"partitions", std::string(layout.partitions)}}});
}

std::optional<SmInstance> instance_in_config(std::string_view text) {
  const auto guid = value_in<Guid>(word_after(text, "guid "));
  if (!guid) return std::nullopt;
  return SmInstance{*guid, value_in<SmPriority>(word_after(text, "sm_priority ")),
                    value_in<SubnetPrefix>(word_after(text, "subnet_prefix "))};
}

}  // namespace rdmastate
