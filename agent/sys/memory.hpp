// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace rdmastate {

/// Says that about this much memory will be used, so that the kernel gives it at once. One page fault at a time costs
/// more than the work done in the pages, above all in a virtual machine. Of small amounts, and on kernels without
/// MADV_POPULATE_WRITE (before 5.14), nothing comes but an ordinary heap.
void expect_memory(std::size_t bytes);

}  // namespace rdmastate
