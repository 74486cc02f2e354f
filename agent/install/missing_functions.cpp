// SPDX-License-Identifier: Apache-2.0
// Functions of newer C libraries that rdmastate and this machine's C++ library call, for the published binary, whose C
// library lacks them. Linked into that build alone (old-glibc.cmake).
#include <string.h>
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

// NOLINTBEGIN(bugprone-reserved-identifier): the C library's own names

/// glibc 2.32, <sys/single_threaded.h>: whether there is one thread, so that counters need no atomic instructions. 0,
/// "not known to be so", is always right.
extern "C" char __libc_single_threaded;
char __libc_single_threaded = 0;

/// glibc 2.36, <stdlib.h>: a random number, for std::random_device.
extern "C" std::uint32_t arc4random() {
  std::uint32_t number = 0;
  while (::getrandom(&number, sizeof(number), 0) != static_cast<ssize_t>(sizeof(number))) {
    // A signal interrupted it (getrandom(2)): again.
  }
  return number;
}

/// glibc 2.36, <stdlib.h>: random bytes, for expat's hash tables.
extern "C" void arc4random_buf(void* buffer, std::size_t size) {
  auto* at = static_cast<unsigned char*>(buffer);
  while (size != 0) {
    const ssize_t got = ::getrandom(at, size, 0);
    if (got <= 0) continue;  // a signal interrupted it
    at += got;
    size -= static_cast<std::size_t>(got);
  }
}

/// glibc 2.32, <string.h>: the name of an error number, such as "EPERM"; nullptr for a number of no error.
extern "C" const char* strerrorname_np(int number) noexcept {
  struct Named {
    int number;
    const char* name;
  };
  static constexpr Named all[] = {
    {0, "0"},
#if __has_include(<errno_names.inc>)  // old-glibc.cmake makes it; lints compile this file without it
#include <errno_names.inc>
#endif
  };
  for (const Named& one : all)
    if (one.number == number) return one.name;
  return nullptr;
}

/// glibc 2.32, <string.h>: the text of an error number, such as "Operation not permitted"; nullptr for a number of no
/// error. In English: rdmastate sets no locale.
extern "C" const char* strerrordesc_np(int number) noexcept {
  return strerrorname_np(number) == nullptr ? nullptr
                                            : ::strerror(number);  // NOLINT(concurrency-mt-unsafe): one thread
}

// NOLINTEND(bugprone-reserved-identifier)
