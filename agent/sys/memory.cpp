// SPDX-License-Identifier: Apache-2.0
#include "sys/memory.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace rdmastate {

void expect_memory(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  constexpr std::size_t least = 256U << 10U;
  constexpr std::size_t most = 16U << 20U;
  if (bytes < least) return;
  bytes = std::min(bytes, most);
  // On the heap and not in a mapping of its own, and kept when it is given back a few lines below: mallopt(3).
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(bytes + page));
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * bytes));
  void* block = std::malloc(bytes);
  if (block == nullptr) return;
#ifdef MADV_POPULATE_WRITE
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(block) % page;
  char* first = static_cast<char*>(block) + (beyond == 0 ? 0 : page - beyond);
  // Where whole 2 MiB fit they are one page, one fault and one clearing each.
  static_cast<void>(::madvise(first, bytes - page, MADV_HUGEPAGE));
  static_cast<void>(::madvise(first, bytes - page, MADV_POPULATE_WRITE));
#endif
  std::free(block);
}

}  // namespace rdmastate
