// SPDX-License-Identifier: Apache-2.0
#include "base/sha256.hpp"

#include <sys/types.h>

#include <sha2.h>  // of libmd

#include <array>

namespace rdmastate {

std::string sha256_hex(std::string_view bytes) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> text{};
  SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), text.data());
  return text.data();
}

}  // namespace rdmastate
