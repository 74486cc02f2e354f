// SPDX-License-Identifier: Apache-2.0
// Prepares the standard streams and signals when the program starts, and tells the terminal's width.
#pragma once

#include <cstddef>

namespace rdmastate {

/// Opens /dev/null for each of the three standard streams that is closed at the start: else the first file that
/// rdmastate opens would get that number, and with it the output. False when /dev/null cannot be opened.
bool hold_standard_streams();

/// From now on a write to a pager that has closed fails with EPIPE, and one to a file that may not grow (RLIMIT_FSIZE)
/// with EFBIG. So neither of their signals (SIGPIPE, SIGXFSZ) ends rdmastate in the middle of an apply. All other
/// signals do what they do by default.
void ignore_write_signals();

/// The columns of the terminal `fd`; 0 where it is no terminal, or gives no number (TIOCGWINSZ, ioctl_tty(2)).
std::size_t terminal_width(int fd);

}  // namespace rdmastate
