// SPDX-License-Identifier: Apache-2.0
// Memory asked of the kernel at once, instead of page by page.
#pragma once

#include <cstddef>

namespace rdmastate {

/// Says that about this many bytes will be used, so that the kernel gives them at once, in huge pages where it can. One
/// page fault at a time costs more than the work done in the page where a fault is slow: in a virtual machine whose
/// faults take 10 us, a no-op plan of 1000 interfaces took 3.15 times its floor without this and 1.9 times with it
/// (back end none; NetworkManager 3.79 and 2.85), with 2165 and 245 faults. On a host with quick page faults it changes
/// nothing that can be measured. Of small amounts, and on kernels without MADV_POPULATE_WRITE (before 5.14), nothing
/// comes but an ordinary heap: madvise(2), mallopt(3).
void expect_memory(std::size_t bytes);

}  // namespace rdmastate
