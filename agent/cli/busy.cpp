// SPDX-License-Identifier: Apache-2.0
#include "cli/busy.hpp"

#include "base/error.hpp"

namespace rdmastate {

std::optional<Outcome> busy_outcome(const Options& options, const std::function<void()>& lock) {
  try {
    lock();
    return std::nullopt;
  } catch (const Error& error) {
    if (error.code() != ExitCode::busy || options.form != OutputForm::json) throw;
    Outcome outcome;
    outcome.code = ExitCode::busy;
    outcome.message = error.what();
    outcome.busy = Busy::another_run;
    return outcome;
  }
}

}  // namespace rdmastate
