// SPDX-License-Identifier: Apache-2.0
// The images that kernels boot with, and who makes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rdmastate {

/// The programs that build a kernel's initrd.
enum class InitrdProgram : std::uint8_t { update_initramfs, dracut };

/// Where a distribution installs it; also the program that is executed.
constexpr const char* path_of(InitrdProgram program) {
  return program == InitrdProgram::dracut ? "/usr/bin/dracut" : "/usr/sbin/update-initramfs";
}

/// Rebuilds initrds: the images that a kernel boots with.
class Initrds {
 public:
  virtual ~Initrds() = default;
  /// Makes the image of a kernel anew from what is on the disk, and returns when it is there; this takes seconds to
  /// minutes. Until then, and where it fails, the old image stays as it was. Throws Error with the last that the
  /// program said; also where it ends well and has made nothing (update_initramfs=no, /boot is read-only).
  virtual void rebuild(InitrdProgram program, const std::string& release, const std::string& image) = 0;
};

}  // namespace rdmastate
