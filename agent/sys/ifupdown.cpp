// SPDX-License-Identifier: Apache-2.0
#include "sys/ifupdown.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"
#include "sys/programs.hpp"

namespace rdmastate {
namespace {

// How long a program may run: as long as in systemd's units for ifupdown (networking.service, ifup@.service).
constexpr std::chrono::minutes longest{5};

void run(const std::vector<std::string>& words) {
  const Ended ended = run_bounded(words, longest);
  if (ended.status != 0 || ended.ended_after.count() != 0)
    throw Error(fmt::format("{} {}", fmt::join(words, " "), how_it_ended(ended)));
}

}  // namespace

bool ProgramIfupdown::is_here() {
  return std::all_of(ifupdown_signs.begin(), ifupdown_signs.end(),
                     [](std::string_view path) { return ::access(path.data(), F_OK) == 0; });
}

void ProgramIfupdown::up(const std::string& interface) { run({ifup_program, interface}); }
void ProgramIfupdown::down(const std::string& interface) { run({ifdown_program, interface}); }
void ProgramIfupdown::force_down(const std::string& interface) { run({ifdown_program, "--force", interface}); }

}  // namespace rdmastate
