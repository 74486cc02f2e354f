// SPDX-License-Identifier: Apache-2.0
// Fills in the columns spec, live and next boot of each volatile resource that is out of sync, now or at the next boot:
// one row (Column) for each field that differs.
#include "plan/plan.hpp"

namespace rdmastate {
namespace {

// Whether this host can never have the field: then no file asks for it at the next boot either.
bool is_never(const Item& item, std::string_view field) {
  if (!item.gap.never) return false;
  const auto& fields = *item.gap.never;
  return fields.empty() || std::find(fields.begin(), fields.end(), field) != fields.end();
}

// What the twins say of the field: the twin that names it, else the one that names no field, else the item as a whole.
NextBoot next_boot_of_field(const Item& item, std::string_view field) {
  if (is_never(item, field)) return NextBoot::absent;
  NextBoot rest = item.next_boot;
  for (const auto& twin : item.twins) {
    if (std::find(twin.fields.begin(), twin.fields.end(), field) != twin.fields.end()) return twin.state;
    if (twin.fields.empty()) rest = twin.state;
  }
  return rest;
}

std::string printed(const FieldInfo& field, const void* value) { return brief(*field.type, value); }

std::string live_text(const Item& item, const FieldInfo& field) {
  if (!item.observable) return "-";
  const State* state = state_of(item.observed);
  if (state == nullptr) return std::holds_alternative<Unseen>(item.observed) ? "unseen" : "absent";
  const void* value = field.look(state->raw());
  return value == nullptr ? "unset" : printed(field, value);
}

// The fields that the spec wants, and those that a created resource takes by default.
std::vector<Column> columns_of(const Item& item) {
  std::vector<Column> columns;
  const State* to = item.has_step() && item.gap.move->to ? &*item.gap.move->to : nullptr;
  for (const auto& field : item.kind->record().fields) {
    if (field.rules.identity) continue;
    const void* asked = item.wanted() != nullptr ? field.look(item.wanted()->raw()) : nullptr;
    const bool is_created = to != nullptr && !item.gap.move->from;
    const void* spec = asked == nullptr && is_created ? field.look(to->raw()) : asked;
    if (spec == nullptr) continue;
    columns.push_back({std::string(field.name), printed(field, spec), live_text(item, field),
                       next_boot_of_field(item, field.name), asked == nullptr});
  }
  return columns;
}

// Whether the next boot needs no word: its twin says what the spec says (as_spec), or it has no twin (itself).
bool is_good(NextBoot next) { return next == NextBoot::itself || next == NextBoot::as_spec; }

bool differs(const Column& column) {
  return !is_good(column.next_boot) || (column.live != "-" && column.live != column.spec);
}

}  // namespace

void fill_columns(Plan& plan) {
  for (auto& item : plan.items) {
    const bool has_no_columns = item.kind->durable || item.wanted() == nullptr;
    if (has_no_columns || (item.gap.in_sync() && is_good(item.next_boot))) continue;
    item.columns = columns_of(item);
    std::erase_if(item.columns, [](const Column& column) { return !differs(column); });
  }
}

}  // namespace rdmastate
