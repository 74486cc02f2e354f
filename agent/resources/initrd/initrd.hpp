// SPDX-License-Identifier: Apache-2.0
// Kind `initrd`: what the images that the next boot may use hold of our files. Key: the directory of the images.
// Durable. It is moved by making the images anew, so it comes behind the files, in undo too.
#pragma once

#include <map>
#include <string>

#include "resources/kind.hpp"

namespace rdmastate {

struct InitrdState {
  /// By what is held, a file's path or an entry's key: a digest of it. Several images that hold different ones, or of
  /// which only some hold it: `initrd_differs`.
  std::map<std::string, std::string> holds;
  bool operator==(const InitrdState&) const = default;
};

template <>
struct Fields<InitrdState> {
  static constexpr std::string_view name = "initrd";
  static constexpr std::string_view doc = "What the images that kernels boot with hold of rdmastate's files.";
  static constexpr auto table = Table{
      Field{"holds", &InitrdState::holds, "A digest of each file or entry that was copied.", {.whole = true}},
  };
};

/// The kind's only key, and the digest that stands for "not what is on the disk".
inline constexpr std::string_view initrd_key = "/boot";
inline constexpr std::string_view initrd_differs = "differs";

extern const Kind initrd_kind;

/// What a state has to look like in an image: the digest of a regular file's bytes or of an entry's value.
std::string initrd_digest(const State& state);

}  // namespace rdmastate
