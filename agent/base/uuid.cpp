// SPDX-License-Identifier: Apache-2.0
#include "base/uuid.hpp"

#include <sha1.h>  // of libmd

#include <array>
#include <cstdint>

#include "base/hex.hpp"

namespace rdmastate {
namespace {

// The namespace of our UUIDs of version 5 (RFC 9562), made at random. With another one every profile of NetworkManager
// would get another UUID.
constexpr std::array<std::uint8_t, 16> name_space{0x3e, 0x1f, 0x6c, 0x52, 0x8d, 0x0a, 0x4b, 0x77,
                                                  0x9c, 0x21, 0x5d, 0xe8, 0x60, 0x44, 0xb1, 0x93};

}  // namespace

std::string uuid_of(std::string_view name) {
  SHA1_CTX context;
  std::array<std::uint8_t, SHA1_DIGEST_LENGTH> digest{};
  SHA1Init(&context);
  SHA1Update(&context, name_space.data(), name_space.size());
  SHA1Update(&context, reinterpret_cast<const std::uint8_t*>(name.data()), name.size());
  SHA1Final(digest.data(), &context);
  digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0fU) | 0x50U);  // version 5
  digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3fU) | 0x80U);  // variant of the RFC
  std::string text;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    append_hex(text, digest[i], 2);
  }
  return text;
}

}  // namespace rdmastate
