// SPDX-License-Identifier: Apache-2.0
// SHA-256 against published values.
#include <gtest/gtest.h>

#include "base/sha256.hpp"

namespace rdmastate {
namespace {

// FIPS 180-4's own examples.
TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, ANulByteCounts) { EXPECT_NE(sha256_hex(std::string_view("a\0b", 3)), sha256_hex("a")); }

}  // namespace
}  // namespace rdmastate
