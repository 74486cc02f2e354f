// SPDX-License-Identifier: Apache-2.0
// Kind `initrd`: the copies of rdmastate's files in the initrd images that the next boot may use. Key: the directory of
// the images. Durable. A step makes the images anew, so it comes after the steps on files, in undo too.
#pragma once

#include <map>
#include <string>

#include "resources/kind.hpp"

namespace rdmastate {

struct InitrdState {
  /// The SHA-256 in hex of each file or entry that the images hold, by its path or key. `initrd_differs` where the
  /// images hold different ones, or only some of them hold it.
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

/// The kind's only key, and what stands for a digest where the images do not all hold the same.
inline constexpr std::string_view initrd_key = "/boot";
inline constexpr std::string_view initrd_differs = "differs";

extern const Kind initrd_kind;

/// The digest by which InitrdState::holds names a state: of a regular file's bytes or of an entry's value.
std::string initrd_digest(const State& state);

}  // namespace rdmastate
