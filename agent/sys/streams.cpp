// SPDX-License-Identifier: Apache-2.0
#include "sys/streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace rdmastate {

bool hold_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDWR | O_NOCTTY) != fd) return false;
  return true;
}

void ignore_write_signals() {
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

}  // namespace rdmastate
