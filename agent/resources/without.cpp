// SPDX-License-Identifier: Apache-2.0
#include "resources/without.hpp"

namespace rdmastate {

State without(const State& state, const std::function<bool(const FieldInfo&)>& is_dropped) {
  const Kind& kind = state.kind();
  Json json = kind.to_json(state);
  for (const auto& field : kind.record().fields)
    if (is_dropped(field)) json.erase(std::string(field.name));
  return kind.from_json(json);
}

}  // namespace rdmastate
