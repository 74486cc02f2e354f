// SPDX-License-Identifier: Apache-2.0
// Runs code that reads a path, and notes the paths that this user may not read.
#pragma once

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace rdmastate {

/// Runs `work`. Where it throws that access is denied, adds `path` to `unseen`, once; other errors pass through.
template <class Work>
void look_at(const std::string& path, std::vector<std::string>& unseen, Work&& work) {
  try {
    work();
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    if (std::find(unseen.begin(), unseen.end(), path) == unseen.end()) unseen.push_back(path);
  }
}

}  // namespace rdmastate
