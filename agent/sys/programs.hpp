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

/// An argument vector that ends with nullptr; argv[0] is the path.
using Program = std::array<const char*, 4>;

/// udevadm(8): returns when udevd has answered.
inline constexpr Program udevadm_reload{"/usr/bin/udevadm", "control", "--reload", nullptr};

/// Runs a program to its end, with /dev/null for its standard streams. Returns its status as waitpid(2) has it; -1 when
/// it could not be started.
int run_program(const Program& program);

/// The words that make the initrd of the kernel `release`. dracut(8) writes `target`, which the caller renames;
/// update-initramfs(8) takes no `target`: it writes beside the image and renames.
std::vector<std::string> initrd_program(InitrdProgram program, const std::string& release, const std::string& target);

/// How a program ended.
struct Ended {
  int status = -1;     ///< as waitpid(2) says; -1 when it could not be started
  std::string output;  ///< the last 2048 bytes of what it wrote to stdout and stderr
};
/// Runs a shell script of the distribution to its end: with PATH, with /dev/null for its stdin, and with its output
/// kept.
Ended run_script(const std::vector<std::string>& words);

/// systemd-udevd, told by udevadm.
class ProgramUdev : public Udev {
 public:
  void reload_rules() override;
};

}  // namespace rdmastate
