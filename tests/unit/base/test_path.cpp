// SPDX-License-Identifier: Apache-2.0
// Paths of a spec's fields as text.
#include <gtest/gtest.h>

#include "base/path.hpp"

namespace rdmastate {
namespace {

std::string written_again(std::string_view path) {
  std::string again;
  while (const auto step = next_step(path))
    step->index ? append_index(again, *step->index) : append_key(again, step->key);
  return path.empty() ? again : "stuck at " + std::string(path);
}

TEST(Path, KeysAndIndices) {
  for (const std::string path : {"", "ipoib", "ipoib[1].ipv4.addresses[0]", "ports.1.link_type", "a[0][1].b",
                                 "members[\"a.b\"].c", "x[\"\"]", "x[\"[\\\"\\\\]\"][3]", "mounts./mnt/x.options"})
    EXPECT_EQ(written_again(path), path);
}

TEST(Path, AKeyWithADotIsQuoted) {
  std::string path = "options";
  append_key(path, "net.ipv4");
  EXPECT_EQ(path, "options[\"net.ipv4\"]");
}

TEST(Path, MalformedOnesEnd) {
  for (std::string_view path : {"[", "[x]", "[1", "[\"a", "[\"a\"", ".", "[99999999999999999999999]"})
    EXPECT_FALSE(next_step(path).has_value()) << path;
}

}  // namespace
}  // namespace rdmastate
