// SPDX-License-Identifier: Apache-2.0
#include "plan/saved.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/fields_json.hpp"
#include "base/json_object.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

// The step without other programs' secrets: a saved plan is passed on, and apply --plan plans again what it moves.
Step public_step_of(const Item& item) {
  Step step = step_of(item);
  step.from = without_secrets(step.from);
  step.to = without_secrets(step.to);
  return step;
}

Json options_json(const PlanOptions& options) {
  return {{"adopt", options.adopt},
          {"replace", options.replace},
          {"in_use", Json::array_of(options.in_use)},
          {"restart", Json::array_of(options.restart)},
          {"allow_fabric", options.allow_fabric},
          {"max_disruption", to_text(options.max_disruption)}};
}

Disruption disruption_from(const std::string& word) {
  for (const auto& [value, name] : Names<Disruption>::table)
    if (name == word) return value;
  throw Error(fmt::format("'{}' is no disruption: {}", printable(word), Names<Disruption>::wanted));
}

PlanOptions options_from(const Json& json) {
  PlanOptions options;
  JsonObject in(json, "options");
  options.adopt = in.flag("adopt");
  options.replace = in.flag("replace");
  for (auto& device : in.texts("in_use")) options.in_use.insert(std::move(device));
  for (auto& unit : in.texts("restart")) options.restart.insert(std::move(unit));
  options.allow_fabric = in.flag("allow_fabric");
  options.max_disruption = disruption_from(in.text("max_disruption"));
  in.finish();
  return options;
}

Json sources_json(const std::vector<Source>& sources) {
  Json list = Json::array();
  for (const auto& source : sources) list.push_back({{"name", source.name}, {"text", source.text}});
  return list;
}

// What every resource was like: for people and other programs, since read_saved_plan() does not look at it.
Json observed_json(const Plan& plan) {
  Json list = Json::array();
  for (const auto& item : plan.items) {
    if (!item.observable || std::holds_alternative<Unseen>(item.observed)) continue;
    const State* state = state_of(item.observed);
    list.push_back({{"kind", item.kind->name},
                    {"key", item.key},
                    {"state", state ? item.kind->to_json(without_secrets(*state)) : Json()}});
  }
  return list;
}

SavedPlan saved_from(const Json& json) {
  JsonObject in(json, /*path=*/"");
  expect_format(in.number("format_version"));
  SavedPlan saved;
  in.each("spec", [&](const Json& one, const std::string& path) {
    JsonObject source(one, path);
    saved.sources.push_back({source.text("name"), source.text("text")});
  });
  if (saved.sources.empty()) throw Error("it holds no spec");
  saved.options = options_from(in.json("options"));
  saved.facts = from_json_as<Facts>(in.json("facts"), "facts");
  in.json("steps");  // throws where the list is missing; each() would take it for empty
  in.each("steps", [&](const Json& step, const std::string& path) { saved.steps.push_back(step_from(step, path)); });
  return saved;
}

using StepsByName = std::map<std::pair<std::string_view, std::string>, const Step*>;

StepsByName by_name(const std::vector<Step>& steps) {
  StepsByName steps_by_name;
  for (const auto& step : steps) steps_by_name.emplace(std::pair(step.kind->name, step.key), &step);
  return steps_by_name;
}

std::vector<Step> steps_of(const Plan& plan) {
  std::vector<Step> steps;
  for (const std::size_t index : plan.steps) steps.push_back(public_step_of(plan.items[index]));
  return steps;
}

std::string difference(const Step& then, const Step& now) {
  const bool starts_elsewhere = to_json(then)["from"] != to_json(now)["from"];
  return fmt::format(
      "{}: {}", title(now),
      starts_elsewhere ? "it is not as it was when the plan was made" : "it would become something else");
}

}  // namespace

std::string saved_plan_text(const Plan& plan, const PlanOptions& options, const std::vector<Source>& sources) {
  Json json{{"format_version", 1}, {"spec", sources_json(sources)}, {"options", options_json(options)}};
  json["facts"] = to_json_of(plan.facts);
  json["observed"] = observed_json(plan);
  json["steps"] = Json::array();
  for (const auto& step : steps_of(plan)) json["steps"].push_back(to_json(step));
  return json.dump(1) + "\n";
}

SavedPlan read_saved_plan(std::string_view text, const std::string& name) {
  return in_context(name, [&] {
    try {
      return saved_from(parse_json(text));
    } catch (const Error& error) {
      throw Error(fmt::format("it is no plan that `rdmastate plan --out` wrote: {}", printable(error.what())));
    }
  });
}

std::vector<std::string> differences(const SavedPlan& saved, const Plan& plan) {
  if (saved.facts.machine_id != plan.facts.machine_id)
    return {fmt::format("the plan was made on another machine ({}, machine-id {})", saved.facts.host,
                        saved.facts.machine_id)};
  const auto steps = steps_of(plan);
  const StepsByName then = by_name(saved.steps);
  const StepsByName now = by_name(steps);
  std::vector<std::string> found;
  for (const auto& [name, step] : then)
    if (!now.contains(name)) found.push_back(fmt::format("{}: it was a step and is none now", title(*step)));
  for (const auto& [name, step] : now) {
    const auto before = then.find(name);
    if (before == then.end())
      found.push_back(fmt::format("{}: it is a step now and was none", title(*step)));
    else if (to_json(*before->second) != to_json(*step))
      found.push_back(difference(*before->second, *step));
  }
  return found;
}

}  // namespace rdmastate
