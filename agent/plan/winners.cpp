// SPDX-License-Identifier: Apache-2.0
#include "plan/winners.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/read_order.hpp"

namespace rdmastate {
namespace {

// Adds the warning. An item with a warning is printed also where it is in sync, so it gets its title (`called`).
void add_warning(Item& item, const Override& one) {
  item.warning += (item.warning.empty() ? "" : "; ") + one.sentence;
  item.next_boot = worse(item.next_boot, one.certain ? NextBoot::differs : NextBoot::unknown);
  item.called = fmt::format("{} {}", item.kind->name, item.kind->title(item.key, item.state()));
}

// Whether one of these fields of the wanted state has this value; of all its fields where none is named. The values
// are compared as brief() prints them.
bool has_value(const Wanted& wanted, const std::vector<std::string>& fields, const std::string& value) {
  if (!wanted.state) return false;
  for (const auto& field : wanted.kind->record().fields) {
    const bool is_meant =
        fields.empty() || std::find(fields.begin(), fields.end(), std::string(field.name)) != fields.end();
    const void* value_of_field = is_meant ? field.look(wanted.state->raw()) : nullptr;
    if (value_of_field != nullptr && brief(*field.type, value_of_field) == value) return true;
  }
  return false;
}

// Whether the line of rdmastate's file makes this setting.
bool is_line_about(const Twin& twin, const std::string& line, const Setting& ours) {
  for (const auto& reading : readings_of(twin.file.key))
    for (const auto& setting : reading.own_settings(line))
      if (setting.what == ours.what && setting.value == ours.value) return true;
  return false;
}

}  // namespace

// The key of a durable resource that is a file is its path; other durable kinds have other keys.
Item* wanted_file(Plan& plan, std::string_view path) {
  const auto found = std::find_if(plan.items.begin(), plan.items.end(), [&](const Item& item) {
    return item.kind->durable && item.wanted() != nullptr && item.key == path;
  });
  return found == plan.items.end() ? nullptr : &*found;
}

Winners::Winners(const Snapshot& snapshot, const Desired& desired, const Plan& plan)
    : overrides_(find_overrides(snapshot, desired, plan)) {
  if (overrides_.empty()) return;
  for (const auto& item : plan.items)
    for (const auto& twin : item.asked.twins) ++users_[twin.file.key];
}

NextBoot Winners::judge(const Wanted& wanted, const Twin& twin, Item& item) {
  NextBoot state = NextBoot::itself;
  const auto found = overrides_.find(twin.file.key);
  if (found == overrides_.end()) return state;
  for (const auto& one : found->second) {
    if (!concerns(one, wanted, twin)) continue;
    state = worse(state, one.certain ? NextBoot::differs : NextBoot::unknown);
    if (told_.insert(one.sentence).second) add_warning(item, one);
  }
  return state;
}

void Winners::tell_rest(Plan& plan) {
  for (const auto& [path, overrides] : overrides_)
    for (const auto& one : overrides)
      if (Item* file = wanted_file(plan, path); file != nullptr && told_.insert(one.sentence).second)
        add_warning(*file, one);
}

// Only rdmastate reads boot.json, so nothing overrides an entry of it. A line is overridden where its own setting is.
// Of a whole file that is the twin of several resources, the override concerns the one that has the overridden value.
bool Winners::concerns(const Override& one, const Wanted& wanted, const Twin& twin) const {
  if (twin.form == TwinForm::boot_entry) return false;
  if (twin.form == TwinForm::line) return is_line_about(twin, twin.line.empty() ? wanted.key : twin.line, one.ours);
  const bool is_alone = twin.fields.empty() && users_.at(twin.file.key) == 1;
  return is_alone || has_value(wanted, twin.fields, one.ours.value);
}

}  // namespace rdmastate
