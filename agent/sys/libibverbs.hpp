// SPDX-License-Identifier: Apache-2.0
// Opens libibverbs for the two tables of its functions: of `show` (verbs.cpp) and of queue pairs (queue_pairs.cpp).
#pragma once

#include "sys/dynamic.hpp"

namespace rdmastate {

/// The library, for the member `library` of such a table (RDMASTATE_FUNCTION). Throws Error where it is not installed.
inline DynamicLibrary libibverbs() {
  return {"libibverbs.so.1", "libibverbs1 (Debian, Ubuntu, SUSE) or libibverbs (RHEL)"};
}

}  // namespace rdmastate
