// SPDX-License-Identifier: Apache-2.0
// /proc/PID/limits as Linux 6.1 writes it.
#include <gtest/gtest.h>

#include "host/process_limits.hpp"

namespace rdmastate {
namespace {

constexpr std::uint64_t mib = 1024 * MemorySize::kib;

TEST(ProcessLimits, FindsWhatMayBePinned) {
  const char* text =
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max resident set          unlimited            unlimited            bytes     \n"
      "Max locked memory         8388608              unlimited            bytes     \n"
      "Max address space         unlimited            unlimited            bytes     \n";
  EXPECT_EQ(memlock_from(text), (MemlockLimit{{8 * mib}, {MemorySize::no_limit}}));
}

TEST(ProcessLimits, OfNoWholeKibibyteIsRoundedDown) {
  EXPECT_EQ(memlock_from("Max locked memory 65537 70000 bytes\n"), (MemlockLimit{{65536}, {68 * MemorySize::kib}}));
}

TEST(ProcessLimits, WhatIsNoLimitIsNone) {
  for (const char* text : {"", "Max locked memory\n", "Max locked memory 8 \n", "Max locked memory few many bytes\n"})
    EXPECT_EQ(memlock_from(text), std::nullopt) << text;
}

}  // namespace
}  // namespace rdmastate
