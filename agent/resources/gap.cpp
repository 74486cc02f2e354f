// SPDX-License-Identifier: Apache-2.0
#include "resources/gap.hpp"

namespace rdmastate {

const WantedOfKind& Intent::wanted(const Kind&) const {
  static const WantedOfKind nothing;
  return nothing;
}

std::string_view Intent::moved_to(const Kind&, const std::string&) const { return {}; }

std::string Intent::why_kept(const Loss&) const { return {}; }
std::shared_ptr<const void>* Intent::place_for(const Kind&) const { return nullptr; }

bool Intent::may_restart(const std::string&) const { return false; }

const std::optional<State>* Intent::wanted(const Kind& kind, const std::string& key) const {
  const WantedOfKind& all = wanted(kind);
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

const Intent& Intent::none() {
  static const Intent none;
  return none;
}

}  // namespace rdmastate
