// SPDX-License-Identifier: Apache-2.0
// The nearest known word to a mistyped one.
#include <gtest/gtest.h>

#include <vector>

#include "base/report.hpp"

namespace rdmastate {
namespace {

const std::vector<std::string_view> keys{"name", "match", "mode", "mtu", "addresses", "pkey", "parent"};

TEST(Nearest, CaseIsNoDifference) { EXPECT_EQ(nearest("MTU", keys), "mtu"); }
TEST(Nearest, TwoSwappedLettersAreOneMistake) { EXPECT_EQ(nearest("nmae", keys), "name"); }
TEST(Nearest, ALetterTooFew) { EXPECT_EQ(nearest("adresses", keys), "addresses"); }
TEST(Nearest, NothingIsLikeIt) { EXPECT_EQ(nearest("gateway", keys), ""); }
TEST(Nearest, ThreeLettersBearOneMistake) {
  EXPECT_EQ(nearest("mtx", keys), "mtu");
  EXPECT_EQ(nearest("xyu", keys), "");
}
TEST(Nearest, NoCandidatesOrNoWord) {
  EXPECT_EQ(nearest("mtu", {}), "");
  EXPECT_EQ(nearest("", keys), "");
  EXPECT_EQ(nearest(std::string(10000, 'm'), keys), "");
}

}  // namespace
}  // namespace rdmastate
