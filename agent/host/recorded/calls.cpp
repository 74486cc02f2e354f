// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/calls.hpp"

namespace rdmastate {

// Throws what was ordered, if it was ordered for this call and this time; an order is carried out once.
void CallLog::obey(When now, const std::string& called) {
  if (!order_ || order_->call != calls_.size() || order_->when != now) return;
  const int number = std::exchange(order_, std::nullopt)->number;
  if (number == 0) throw OrderedCrash{};
  throw SystemError(called, number, "as ordered");
}

}  // namespace rdmastate
