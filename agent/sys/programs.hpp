// SPDX-License-Identifier: Apache-2.0
// Every program that rdmastate executes: absolute paths, argument vectors, no shell, an empty environment (for those
// that are shell scripts themselves, one with PATH).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "host/initrds.hpp"
#include "host/udev.hpp"

namespace rdmastate {

/// argv[0] is the path.
using Program = std::array<const char*, 4>;

/// udevadm(8): returns when udevd has answered.
inline constexpr Program udevadm_reload{"/usr/bin/udevadm", "control", "--reload", nullptr};

/// Runs one to its end, with nothing to read and nowhere to write. What it ended with, as waitpid(2) says; -1 when it
/// could not be started.
int run_program(const Program& program);

/// update-initramfs(8): writes beside the image, and renames. dracut(8): writes `target`, which is to be renamed.
std::vector<std::string> initrd_program(InitrdProgram program, const std::string& release, const std::string& target);

/// How a program ended.
struct Ended {
  int status = -1;     ///< as waitpid(2) says; -1 when it could not be started
  std::string output;  ///< the end of all that it said
};
/// Runs a shell script of the distribution's: with PATH, nothing to read, and what it says is kept.
Ended run_script(const std::vector<std::string>& words);

/// systemd-udevd, told by udevadm.
class ProgramUdev : public Udev {
 public:
  void reload_rules() override;
};

}  // namespace rdmastate
