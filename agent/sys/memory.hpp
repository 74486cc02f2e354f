// SPDX-License-Identifier: Apache-2.0
// Asks the kernel for memory at once instead of page by page, before a large spec is read and planned.
#pragma once

#include <cstddef>

namespace rdmastate {

/// Asks for about as many bytes as will be used, in huge pages where the kernel can: at most 16 MiB, and nothing for
/// less than 256 KiB. Needs MADV_POPULATE_WRITE (Linux 5.14, madvise(2)). Only for speed: a failure is no error. What
/// it saves stands at its caller (cli/wish.cpp).
void expect_memory(std::size_t bytes);

}  // namespace rdmastate
