// SPDX-License-Identifier: Apache-2.0
// What a traffic class may send: every sentence that a wrong share gets.
#include <gtest/gtest.h>

#include "base/types_device.hpp"
#include "reading.hpp"

namespace rdmastate {
namespace {

using test::reading;

TEST(ClassShareText, APercentageOrAWord) {
  for (const char* text : {"40%", "100%", "0%", "strict", "cbs", "vendor"})
    EXPECT_EQ(reading<ClassShare>(text), std::string("= ") + text);
  ClassShare share;
  EXPECT_FALSE(Text<ClassShare>::read({"40%", true}, share));
  EXPECT_EQ(share, (ClassShare{ClassShare::By::percent, 40}));
}

TEST(ClassShareText, WhatIsNone) {
  const std::string wanted = "a percentage such as 60%, or strict, cbs or vendor";
  EXPECT_EQ(reading<ClassShare>("40"), "error: '40' has no % | " + wanted + " | write 40%");
  EXPECT_EQ(reading<ClassShare>("101%"), "error: '101%' is more than 100% | " + wanted + " | ");
  for (const char* text : {"", "%", "ets", "05%", "-1%", "4 0%", "40%%", "99999999999%", "Strict"})
    EXPECT_EQ(reading<ClassShare>(text).substr(0, 16), "error: expected ") << text;
}

}  // namespace
}  // namespace rdmastate
