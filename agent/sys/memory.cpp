// SPDX-License-Identifier: Apache-2.0
#include "sys/memory.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace rdmastate {

void expect_memory(std::size_t bytes) {
  constexpr std::size_t page = 4096;  // where pages are larger, madvise() refuses and nothing is gained
  constexpr std::size_t least = 256U << 10U;
  constexpr std::size_t most = 16U << 20U;
  if (bytes < least) return;
  bytes = std::min(bytes, most);
  // The block is to be on the heap and not a mapping of its own, and the heap is to keep it after free() below:
  // mallopt(3).
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(bytes + page));
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * bytes));
  void* block = std::malloc(bytes);
  if (block == nullptr) return;
#ifdef MADV_POPULATE_WRITE
  const std::size_t past_page_start = reinterpret_cast<std::uintptr_t>(block) % page;
  char* first = static_cast<char*>(block) + (past_page_start == 0 ? 0 : page - past_page_start);
  // Each whole 2 MiB in it can then be one huge page, which costs one page fault.
  static_cast<void>(::madvise(first, bytes - page, MADV_HUGEPAGE));
  static_cast<void>(::madvise(first, bytes - page, MADV_POPULATE_WRITE));
#endif
  std::free(block);
}

}  // namespace rdmastate
