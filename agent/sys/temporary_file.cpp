// SPDX-License-Identifier: Apache-2.0
#include "sys/temporary_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <cstdio>

#include "host/temporary.hpp"

namespace rdmastate {

std::string temporary_name(const std::string& target) {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) throw SystemError("asking for random bytes", errno);
  std::array<char, temporary_digits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(random));
  return temporary_prefix(target) + digits.data();
}

void refuse_append_only(int directory, const std::string& doing) {
  struct statx status {};
  if (::statx(directory, "", AT_EMPTY_PATH, 0, &status) != 0) throw SystemError(doing, errno);
  if ((status.stx_attributes & STATX_ATTR_APPEND) != 0)
    throw SystemError(doing + ", whose directory is append-only (chattr +a)", EPERM);
}

}  // namespace rdmastate
