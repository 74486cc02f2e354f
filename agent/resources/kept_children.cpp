// SPDX-License-Identifier: Apache-2.0
#include "resources/kept_children.hpp"

#include "base/error.hpp"
#include "resources/address.hpp"
#include "resources/ipoib_link.hpp"
#include "resources/route.hpp"

namespace rdmastate {

KeptChildren::KeptChildren(Tools& tools, const Link& port) : tools_(tools) {
  const Snapshot now(tools.host);
  for (const Link* child : now.links()) {
    if (!child->is_ipoib() || child->parent != port.index) continue;
    for (const auto& ref : ipoib_link_kind.goes_with(now, ipoib_link_key(now, *child))) {
      const Kind& kind = ref.kind == address_kind.name ? address_kind : route_kind;
      const Observation observed = kind.observe(now, ref.key);
      if (const State* state = state_of(observed)) things_.push_back({&kind, ref.key, *state});
    }
  }
}

void KeptChildren::put_back() {
  if (things_.empty()) return;
  const auto is_there = [](const Snapshot& now, const Thing& one) {
    return state_of(one.kind->observe(now, one.key)) != nullptr;
  };
  const Snapshot now(tools_.host);
  for (const auto& one : things_) {
    if (is_there(now, one)) continue;
    try {
      one.kind->move(tools_, one.key, nullptr, &one.state);
    } catch (const Error&) {
      if (!is_there(Snapshot(tools_.host), one)) throw;
    }
  }
}

}  // namespace rdmastate
