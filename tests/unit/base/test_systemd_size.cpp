// SPDX-License-Identifier: Apache-2.0
// Sizes of unit files, as systemd's parse_size() and rlimit_parse() read them.
#include <gtest/gtest.h>

#include "base/systemd_size.hpp"

namespace rdmastate {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

TEST(SystemdSize, HasSuffixesFractionsAndSums) {
  const std::pair<const char*, std::uint64_t> sizes[] = {{"0", 0},
                                                         {"65536", 65536},
                                                         {"64K", 64 << 10},
                                                         {"8M", 8 * mib},
                                                         {"1.5G", 1536 * mib},
                                                         {"10.M", 10 * mib},
                                                         {"0.0009765625M", 1024},
                                                         {" 1 G 512M", 1536 * mib},
                                                         {"2T", 2 * mib * mib},
                                                         {"1P", mib << 30U},
                                                         {"1E", mib << 40U},
                                                         {"7B", 7},
                                                         {"1K 1", 1025},
                                                         {"infinity", systemd_infinity}};
  for (const auto& [text, bytes] : sizes) EXPECT_EQ(systemd_size(text), bytes) << text;
}

TEST(SystemdSize, IsRefusedAsSystemdRefusesIt) {
  for (const char* text : {"", "8m", "-1", "unlimited", "G", "1X", "1M 1G", "1M 1M", "16E", "1 1", ".5G", "1G infinity",
                           "18446744073709551615"})
    EXPECT_FALSE(systemd_size(text)) << text;
}

TEST(SystemdSize, MakesASoftAndAHardLimit) {
  const auto both = systemd_limit("1.5G:infinity");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->soft, 1536 * mib);
  EXPECT_EQ(both->hard, systemd_infinity);
  EXPECT_EQ(systemd_limit("8M")->hard, 8 * mib);
  for (const char* text : {"2G:1G", "1G:", ":1G", "infinity:1G"}) EXPECT_FALSE(systemd_limit(text)) << text;
}

}  // namespace
}  // namespace rdmastate
