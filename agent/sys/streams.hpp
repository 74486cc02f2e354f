// SPDX-License-Identifier: Apache-2.0
// The standard streams and signals of the process.
#pragma once

#include <cstddef>

namespace rdmastate {

/// Opens /dev/null for each of the three standard streams that was closed before we began: it would become the first
/// file that is opened, and then get what is meant for people. False when that cannot be.
bool hold_standard_streams();

/// A pager that closed and a file that may not grow (RLIMIT_FSIZE) are from now on errors of a write, EPIPE and EFBIG:
/// no death in mid-apply.
void ignore_write_signals();

/// Columns of the terminal that this is; 0 where it is none, or tells no number (TIOCGWINSZ, ioctl_tty(2)).
std::size_t terminal_width(int fd);

}  // namespace rdmastate
