// SPDX-License-Identifier: Apache-2.0
#include "sys/streams.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace rdmastate {

bool hold_standard_streams() {
  const auto is_closed = [](int fd) { return ::fcntl(fd, F_GETFD) < 0 && errno == EBADF; };
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (is_closed(fd) && ::open("/dev/null", O_RDWR | O_NOCTTY) != fd) return false;
  return true;
}

void ignore_write_signals() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

std::size_t terminal_width(int fd) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace rdmastate
