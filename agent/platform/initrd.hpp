// SPDX-License-Identifier: Apache-2.0
// Which program makes a kernel's initrd, where the image lies, and which of our files it copies into it. Pure data.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "host/initrds.hpp"
#include "platform/platform.hpp"

namespace rdmastate {

/// Files that are copied: all of a directory with that suffix, or, without one, that file.
struct InitrdInput {
  std::string_view path;
  std::string_view suffix;
  /// An image that lacks it does no harm, only one that holds another version: a list of modules is read again from the
  /// real root, and what the image loaded stays loaded.
  bool may_lack = false;
};

/// A distribution's program for initrds, and what it reads. A row of a constant table.
struct InitrdMaker {
  InitrdProgram program;
  DistroFamily family;
  std::string_view before;  ///< the image's path is this, the kernel's release,
  std::string_view after;   ///< and this
  std::span<const InitrdInput> inputs;
  std::string_view all;  ///< what a person runs to make every image anew
};

/// In the order in which they are looked for; the first whose program is installed and whose images are there counts.
///
/// initramfs-tools 0.142: mkinitramfs copies /etc/modprobe.d/*.conf, udev's hook every .link file. That hook copies
/// udev rules too: ours wake units and call rdma_rename, which such an image has not, or name interfaces of ib_ipoib,
/// which it has not either, so they are no inputs. dracut 049 to 107, with hostonly=yes as RHEL, Fedora and SUSE set
/// it: modprobe.d (module kernel-modules), modules-load.d (systemd), .link files (the network modules), and rdma-core's
/// own module rdma the file mlx4.conf, which Debian's rdma-core has not. It copies no udev rule of rdmastate.
///
/// The last row is of systems that boot the image that they are (bootc, ostree), which have the initrd beside the
/// kernel; it is looked for in a tree alone, as a host does not make it. dracut makes it for any host (hostonly=no) and
/// then takes nothing of /etc by itself.
std::span<const InitrdMaker> initrd_makers();

/// nullptr: it copies no such file.
const InitrdInput* initrd_input(const InitrdMaker& maker, std::string_view path);
/// Whether any program of that family copies it; of `other`, any at all.
bool is_initrd_input(DistroFamily family, std::string_view path);
/// "/boot/initrd.img-6.1.0-40-amd64"
std::string initrd_image(const InitrdMaker& maker, std::string_view release);
/// The release that a file in the images' directory is for; nullopt when it is no image of this maker.
std::optional<std::string> initrd_release(const InitrdMaker& maker, std::string_view path);
/// Whether kernel release `a` is older than `b`: numbers count as numbers (strverscmp(3)).
bool is_older_kernel(const std::string& a, const std::string& b);

}  // namespace rdmastate
