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
  /// True where an image without the file does no harm, since the file is read again from the real root. An image with
  /// an older version of the file does harm: the modules that its list loads stay loaded.
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

/// All makers, in the order in which they are looked for: the first whose program is installed and whose images are
/// there counts.
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
