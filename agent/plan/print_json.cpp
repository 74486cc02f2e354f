// SPDX-License-Identifier: Apache-2.0
// Prints a plan as JSON (plan_json()), and one step of it (step_json()).

#include "base/fields_json.hpp"
#include "plan/print.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

Json state_json(const std::optional<State>& state) { return state ? state->kind().to_json(*state) : Json(nullptr); }

Json changes_json(const Item& item) {
  Json list = Json::array();
  const auto from = without_secrets(item.gap.move->from);
  const auto to = without_secrets(item.gap.move->to);
  if (!to) return list;
  for (const auto& change : diff(item.kind->record(), from ? from->raw() : nullptr, to->raw()))
    list.push_back({{"field", change.path},
                    {"from", change.from ? Json(*change.from) : Json(nullptr)},
                    {"to", change.to ? Json(*change.to) : Json(nullptr)}});
  return list;
}

Json columns_json(const Item& item) {
  Json list = Json::array();
  for (const auto& column : item.columns)
    list.push_back({{"field", column.field},
                    {"spec", column.spec},
                    {"live", column.live},
                    {"next_boot", to_text(column.next_boot)},
                    {"default", column.is_default}});
  return list;
}

void put(Json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

Json item_json(const Item& item) {
  Json json{{"kind", item.kind->name}, {"key", item.key}, {"title", item.title()}, {"cause", to_text(item.cause)}};
  put(json, "path", item.asked.path);
  json["next_boot"] = to_text(item.next_boot);
  if (!item.columns.empty()) json["columns"] = columns_json(item);
  put(json, "pending", item.gap.pending.sentence);
  if (!item.gap.pending.empty()) json["pending_until"] = to_text(item.gap.pending.until);
  put(json, "blocked", item.gap.blocked);
  if (item.gap.never) json["never"] = Json::array_of(*item.gap.never);
  put(json, "after", item.gap.after);
  if (item.gap.comes_along) json["comes_along"] = true;
  put(json, "unseen", item.gap.unseen);
  put(json, "warning", item.warning);
  return json;
}

Json refusal_json(const Plan& plan, const PlanRefusal& refusal) {
  Json json{{"sentence", refusal.sentence}};
  put(json, "allowed_by", refusal.allowed_by);
  if (!refusal.item) return json;
  json["kind"] = plan.items[*refusal.item].kind->name;
  json["key"] = plan.items[*refusal.item].key;
  return json;
}

Json planned_step_json(const Plan& plan, const Item& item) {
  Json json = step_json(item);
  if (plan.is_of_last_round(item)) json["last_round"] = true;
  return json;
}

}  // namespace

Json step_json(const Item& item) {
  Json json = item_json(item);
  json["line"] = step_line(item);
  json["from"] = state_json(without_secrets(item.gap.move->from));
  json["to"] = state_json(without_secrets(item.gap.move->to));
  json["changes"] = changes_json(item);
  json["disruption"] = to_text(item.disruption);
  if (!item.touches.empty()) json["touches"] = Json::array_of(item.touches);
  return json;
}

std::vector<std::string> notes_of(const Plan& plan) {
  std::vector<std::string> notes = unseen_lines(plan);
  if (std::string much = much_goes_line(plan); !much.empty()) notes.insert(notes.begin(), std::move(much));
  return notes;
}

Json plan_json(const Plan& plan) {
  Json json{{"format_version", 1}, {"id", plan.id}, {"backend", plan.backend}};
  if (!plan.backend_reason.empty()) json["backend_reason"] = plan.backend_reason;
  json["facts"] = to_json_of(plan.facts);
  json["steps"] = Json::array();
  json["other"] = Json::array();
  for (const std::size_t step : plan.steps) json["steps"].push_back(planned_step_json(plan, plan.items[step]));
  for (std::size_t i = 0; i < plan.items.size(); ++i)
    if (const Item& item = plan.items[i]; !item.has_step() && (item.is_told() || plan.is_refused(i)))
      json["other"].push_back(item_json(item));
  json["notes"] = Json::array_of(notes_of(plan));
  json["refused"] = Json::array_of(plan.refused());
  json["refusals"] = Json::array();
  for (const auto& one : plan.refusals) json["refusals"].push_back(refusal_json(plan, one));
  json["summary"] = {{"steps", plan.steps.size()},
                     {"waiting", plan.count_waiting()},
                     {"coming_along", plan.count_coming_along()},
                     {"pending", plan.count_pending()},
                     {"blocked", plan.count_blocked()},
                     {"unseen", plan.count_unseen()},
                     {"refused", plan.refusals.size()},
                     {"more_rounds", plan.has_more_rounds()},
                     {"disruption", to_text(plan.disruption())},
                     {"reboot_required", plan.needs_reboot()}};
  return json;
}

}  // namespace rdmastate
