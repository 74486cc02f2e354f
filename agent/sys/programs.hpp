// SPDX-License-Identifier: Apache-2.0
// Every program that rdmastate executes: absolute paths, argument vectors, no shell, an empty environment.
#pragma once

#include <array>

#include "host/udev.hpp"

namespace rdmastate {

/// argv[0] is the path.
using Program = std::array<const char*, 4>;

/// udevadm(8): returns when udevd has answered.
inline constexpr Program udevadm_reload{"/usr/bin/udevadm", "control", "--reload", nullptr};

/// Runs one to its end, with nothing to read and nowhere to write. What it ended with, as waitpid(2) says; -1 when it
/// could not be started.
int run_program(const Program& program);

class ProgramUdev : public Udev {
 public:
  void reload_rules() override;
};

}  // namespace rdmastate
