// SPDX-License-Identifier: Apache-2.0
#include "resources/step.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

Json state_json(const std::optional<State>& state) { return state ? state->kind().to_json(*state) : Json(nullptr); }

std::optional<State> state_from(const Kind& kind, const Json& json) {
  if (json.is_null()) return std::nullopt;
  return kind.from_json(json);
}

}  // namespace

Json to_json(const Step& step) {
  return {{"kind", step.kind->name}, {"key", step.key}, {"from", state_json(step.from)}, {"to", state_json(step.to)}};
}

Step step_from(const Json& json) {
  const auto name = json.at("kind").get<std::string>();
  const Kind* kind = kind_named(name);
  if (kind == nullptr) throw Error(fmt::format("it names the kind '{}', which this version does not know", name));
  return {kind, json.at("key").get<std::string>(), state_from(*kind, json.at("from")),
          state_from(*kind, json.at("to"))};
}

}  // namespace rdmastate
