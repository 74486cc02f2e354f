// SPDX-License-Identifier: Apache-2.0
// Memory asked of the kernel at once, instead of page by page.
#pragma once

#include <cstddef>

namespace rdmastate {

/// Says that about this many bytes will be used, so that the kernel gives them at once, in huge pages where it can. One
/// page fault at a time costs more than the work done in the page, above all in a virtual machine: a no-op plan of 1000
/// interfaces in one whose page faults took 10 us each ran 60 ms (2165 faults) without this and 32 ms with heap
/// tunables that do the same, on NetworkManager 119 and 59 ms. On a host with quick page faults it changes nothing that
/// can be measured. Of small amounts, and on kernels without MADV_POPULATE_WRITE (before 5.14), nothing comes but an
/// ordinary heap: madvise(2), mallopt(3).
void expect_memory(std::size_t bytes);

}  // namespace rdmastate
