// SPDX-License-Identifier: Apache-2.0
// What guides, and scripts that people copy, have people write into files, and the spec that says the same: for the
// check set-up-by-hand (leftovers.cpp).
#pragma once

#include <span>
#include <string_view>

#include "host/facts.hpp"

namespace rdmastate::doctor {

/// A line that people write by hand.
struct HandMade {
  std::string_view pattern;      ///< of the files' paths, as FilePlace::pattern
  std::string_view word;         ///< what such a line holds
  std::string_view field;        ///< of a spec: example_of() has a line with it
  std::string_view also = {};    ///< what it holds too; empty: nothing
  std::string_view except = {};  ///< a line that holds this one is another one; empty: none is
  /// Looked for on Debian and its kin alone: distributions of RPM ship the line themselves.
  bool debian_alone = false;

  /// Whether this line, of a file that `pattern` names, is such a line. Blanks around its first '=' do not count.
  bool is(std::string_view line) const;
};

/// All of them.
std::span<const HandMade> all_hand_made();
/// A spec's line with the field, as an example: "rdma: {netns: exclusive}"; empty: there is none.
std::string_view example_of(std::string_view field);

}  // namespace rdmastate::doctor
