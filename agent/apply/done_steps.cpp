// SPDX-License-Identifier: Apache-2.0
#include "apply/done_steps.hpp"

#include <utility>

#include "plan/print.hpp"

namespace rdmastate {

void DoneSteps::add(std::size_t at) {
  const Item& item = plan_.items[*round_[at].item];
  untold_.push_back(&item);
  // A step without an item is the ledger's own: nobody is told of it.
  const RoundStep* next = at + 1 < round_.size() ? &round_[at + 1] : nullptr;
  if (next == nullptr || !next->item || !share_line(item, plan_.items[*next->item])) tell();
}

void DoneSteps::tell() {
  if (untold_.empty()) return;
  listener_.stepped(steps_line(std::exchange(untold_, {})));
}

}  // namespace rdmastate
