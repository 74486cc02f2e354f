// SPDX-License-Identifier: Apache-2.0
// Memory asked of the kernel at once instead of page by page, for a large spec.
#pragma once

#include <cstddef>

namespace rdmastate {

/// Says that about this many bytes will be used, so that the kernel gives them at once, in huge pages where it can.
/// Where page faults are slow, one per page costs more than the work done in the page: in a virtual machine whose
/// faults take 10 us, a plan of 1000 interfaces without steps took 3.15 times as long as the floor
/// (tests/bench/floor.cpp) without this and 1.9 times with it (back end none; NetworkManager 3.79 and 2.85), with 2165
/// and 245 faults. On a host with quick page faults it changes nothing that can be measured. It does nothing for less
/// than 256 KiB, takes no more than 16 MiB, and needs MADV_POPULATE_WRITE (Linux 5.14): madvise(2), mallopt(3).
void expect_memory(std::size_t bytes);

}  // namespace rdmastate
