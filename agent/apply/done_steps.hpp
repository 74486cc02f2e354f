// SPDX-License-Identifier: Apache-2.0
// Tells of the steps of a round, in apply and at boot, as they are done: those that follow each other with one verb and
// kind in one line.
#pragma once

#include <span>
#include <vector>

#include "apply/apply.hpp"
#include "apply/execute.hpp"

namespace rdmastate {

/// What is done is told when the last of the steps that share_line() is done, and what is left of it when this ends.
class DoneSteps {
 public:
  /// All have to outlive it.
  DoneSteps(const Plan& plan, std::span<const RoundStep> round, const Listener& listener)
      : plan_(plan), round_(round), listener_(listener) {}
  DoneSteps(const DoneSteps&) = delete;
  DoneSteps& operator=(const DoneSteps&) = delete;
  ~DoneSteps() { tell(); }

  /// The step at this index of the round, which is one of the plan, is done.
  void add(std::size_t at);
  /// Tells what is not told yet, before something else is said.
  void tell();

 private:
  const Plan& plan_;
  std::span<const RoundStep> round_;
  const Listener& listener_;
  std::vector<const Item*> untold_;
};

}  // namespace rdmastate
