// SPDX-License-Identifier: Apache-2.0
// Tells which program makes a kernel's initrd, where the image lies, and which of rdmastate's files the program copies
// into the image. A constant table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "host/initrds.hpp"
#include "platform/platform.hpp"

namespace rdmastate {

/// Files that the program copies into an image: the files of directory `path` with that suffix; without one the file
/// `path`.
struct InitrdInput {
  std::string_view path;
  std::string_view suffix;
  /// True of a list of modules: an image without the list does no harm, since systemd reads it again from the real
  /// root. An image with an older version of the list does harm: the modules that it loads stay loaded.
  bool may_lack = false;
};

/// A distribution's program for initrds, and the files that it copies. A row of a constant table.
struct InitrdMaker {
  InitrdProgram program;
  DistroFamily family;
  std::string_view before;  ///< an image's path is `before`, the kernel's release and `after`, without blanks
  std::string_view after;
  std::span<const InitrdInput> inputs;
  std::string_view all;  ///< the command by which a person makes every image anew
};

/// In the order in which they are looked for; the first whose program is installed and whose images are there counts.
///
/// initramfs-tools 0.142: mkinitramfs copies /etc/modprobe.d/*.conf, udev's hook every .link file. That hook copies
/// udev rules too, but ours are no inputs: they start units, call rdma_rename or name interfaces of ib_ipoib, and such
/// an image has none of these. dracut 049 to 107, with hostonly=yes as RHEL, Fedora and SUSE set it: modprobe.d (module
/// kernel-modules), modules-load.d (systemd), .link files (the network modules), and mlx4.conf (rdma-core's own module
/// rdma, which Debian's rdma-core has not). It copies no udev rule of rdmastate.
///
/// The last row is for systems that boot as an image (bootc, ostree), whose initrd lies beside the kernel. It is looked
/// for in a tree alone, since such a host does not make its initrd. dracut makes it for any host (hostonly=no), and
/// then copies nothing of /etc by itself.
std::span<const InitrdMaker> initrd_makers();

/// The row of the maker's inputs that has the file at `path`; nullptr: the maker does not copy it.
const InitrdInput* initrd_input(const InitrdMaker& maker, std::string_view path);
/// Whether a maker of that family copies the file at `path` into an image; of `other`: a maker of any family.
bool is_initrd_input(DistroFamily family, std::string_view path);
/// "/boot/initrd.img-6.1.0-40-amd64"
std::string initrd_image(const InitrdMaker& maker, std::string_view release);
/// The release that a file in the images' directory is for; nullopt when it is no image of this maker.
std::optional<std::string> initrd_release(const InitrdMaker& maker, std::string_view path);
/// Whether kernel release `a` is older than `b`: numbers count as numbers (strverscmp(3)).
bool is_older_kernel(const std::string& a, const std::string& b);

}  // namespace rdmastate
