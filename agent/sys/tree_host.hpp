// SPDX-License-Identifier: Apache-2.0
// A tree as a host: files and a clock, no kernel.
#pragma once

#include "host/host.hpp"
#include "sys/clock.hpp"
#include "sys/files.hpp"
#include "sys/labels.hpp"
#include "sys/root.hpp"

namespace rdmastate {

/// Owns an offline tree: an image's or an installer's root file system. It has files and a clock, and no kernel.
struct TreeHost {
  /// Throws an Error when `directory` is not a directory. "/" is taken too: the caller decides whether it may be meant.
  explicit TreeHost(const std::string& directory);
  TreeHost(const TreeHost&) = delete;
  TreeHost& operator=(const TreeHost&) = delete;

  Root root;
  PolicyLabels labels;
  RootFiles files;
  SystemClock clock;
  Host host;  ///< refers to the members above
};

}  // namespace rdmastate
