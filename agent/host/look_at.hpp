// SPDX-License-Identifier: Apache-2.0
// Reading what this user may not read, too.
#pragma once

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace rdmastate {

/// Does `work` with the path, or notes that this user may not.
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
