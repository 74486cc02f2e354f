// SPDX-License-Identifier: Apache-2.0
// The interface to initrds, the images that kernels boot with, and to the programs that build them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rdmastate {

/// The programs that build a kernel's initrd.
enum class InitrdProgram : std::uint8_t { update_initramfs, dracut };

/// Where distributions install the program; this path is executed.
constexpr const char* path_of(InitrdProgram program) {
  return program == InitrdProgram::dracut ? "/usr/bin/dracut" : "/usr/sbin/update-initramfs";
}

/// Rebuilds initrds: the images that a kernel boots with.
class Initrds {
 public:
  virtual ~Initrds() = default;
  /// Makes the image (a path) of a kernel release anew from the files on the disk, and waits for that: seconds to
  /// minutes. Until then, and where it fails, the old image stays as it was. Throws Error with the program's last
  /// lines; also where the program succeeds but has made nothing (update_initramfs=no, /boot is read-only).
  virtual void rebuild(InitrdProgram program, const std::string& release, const std::string& image) = 0;
};

}  // namespace rdmastate
