// SPDX-License-Identifier: Apache-2.0
#include "resources/step.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/json_object.hpp"
#include "base/report.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

Json state_json(const std::optional<State>& state) { return state ? state->kind().to_json(*state) : Json(nullptr); }

std::optional<State> state_from(const Kind& kind, const Json& json, const std::string& path) {
  if (json.is_null()) return std::nullopt;
  return kind.from_json(json, path);
}

}  // namespace

std::string title(const Step& step) {
  if (!step.called.empty()) return printable(step.called);
  const State* state = step.to ? pointer(step.to) : pointer(step.from);
  return printable(fmt::format("{} {}", step.kind->name, step.kind->title(step.key, state)));
}

bool leads_nowhere(const Step& step) { return step.from && step.to && step.kind->equal(*step.from, *step.to); }

std::string trouble_with_key(const Kind& kind, const std::string& key) {
  constexpr std::size_t longest = 4096;  // PATH_MAX (linux/limits.h)
  if (!kind.durable) return {};
  const std::string path = kind.file_of_key(key);
  const bool fits = path.starts_with('/') && path.size() < longest && path.find('\0') == std::string::npos;
  return fits ? std::string() : fmt::format("expected an absolute path, got {}", Json(key).brief());
}

Json to_json(const Step& step) {
  return {{"kind", step.kind->name}, {"key", step.key}, {"from", state_json(step.from)}, {"to", state_json(step.to)}};
}

Step step_from(const Json& json, const std::string& path) {
  JsonObject in(json, path);
  const std::string name = in.text("kind");
  const Kind* kind = kind_named(name);
  if (kind == nullptr) in.refuse("kind", fmt::format("'{}' is no kind that this version knows", printable(name)));
  Step step{kind, in.text("key"), /*from=*/{}, /*to=*/{}};
  if (const std::string why = trouble_with_key(*kind, step.key); !why.empty()) in.refuse("key", why);
  step.from = state_from(*kind, in.json("from"), in.place("from"));
  step.to = state_from(*kind, in.json("to"), in.place("to"));
  in.finish();
  return step;
}

}  // namespace rdmastate
