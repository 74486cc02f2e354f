// SPDX-License-Identifier: Apache-2.0
// Executes every program that rdmastate starts: absolute paths, argument vectors, no shell, an empty environment (one
// with PATH for those that start others). host/initrds.hpp and host/netplan.hpp have the paths that are not here.
#pragma once

#include <array>
#include <chrono>
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

/// The argument vector of the program that makes the initrd of the kernel `release`. dracut(8) writes `target`, which
/// the caller renames; update-initramfs(8) takes no `target`: it writes beside the image and renames.
std::vector<std::string> initrd_program(InitrdProgram program, const std::string& release, const std::string& target);

/// ifup(8) and ifdown(8), which take the interface as their last argument.
inline constexpr const char* ifup_program = "/sbin/ifup";
inline constexpr const char* ifdown_program = "/sbin/ifdown";

/// How a program ended.
struct Ended {
  int status = -1;                        ///< as waitpid(2) says; -1 when it could not be started
  std::string output = {};                ///< the last 2048 bytes of what it wrote to stdout and stderr
  std::chrono::seconds ended_after = {};  ///< it was ended because it took longer than this; 0: it was not
};
/// The end of a message that begins with the program: "ended with 1; it said: ...".
std::string how_it_ended(const Ended& ended);
/// Runs a program of the distribution that builds an initrd, a shell script, to its end: with PATH, with /dev/null for
/// its stdin, and with its output kept. `words` is its argument vector; the first word is the path. Throws SystemError
/// where the output cannot be kept.
Ended run_script(const std::vector<std::string>& words);
/// As run_script(), for a program that may wait without end (ifup, ifdown, netplan). Where it takes longer than
/// `longest`, its process group gets SIGTERM, and after at most 10 more seconds SIGKILL. Where it ends by itself, what
/// it started goes on (ifup's DHCP client). `settings` ("NAME=value") are in its environment too.
Ended run_bounded(const std::vector<std::string>& words, std::chrono::seconds longest,
                  const std::vector<std::string>& settings = {});

/// The systemd-udevd of this host, which udevadm tells to read its rules again.
/// Contract: host/udev.hpp.
class ProgramUdev : public Udev {
 public:
  void reload_rules() override;
};

}  // namespace rdmastate
