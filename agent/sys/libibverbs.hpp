// SPDX-License-Identifier: Apache-2.0
// libibverbs, opened on first use.
#pragma once

#include "sys/dynamic.hpp"

namespace rdmastate {

/// Throws Error where it is not installed.
inline DynamicLibrary libibverbs() {
  return {"libibverbs.so.1", "libibverbs1 (Debian, Ubuntu, SUSE) or libibverbs (RHEL)"};
}

}  // namespace rdmastate
