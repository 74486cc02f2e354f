// SPDX-License-Identifier: Apache-2.0
// Values as text and back.
#include <gtest/gtest.h>

#include "base/types.hpp"
#include "reading.hpp"

namespace rdmastate {
namespace {

using test::reading;

TEST(CoreType, FollowsYaml12) {
  const auto all = [](CoreType type, std::initializer_list<std::string_view> texts) {
    for (const auto text : texts) EXPECT_EQ(core_type({text, true}), type) << text;
  };
  all(CoreType::null, {"", "~", "null", "Null", "NULL"});
  all(CoreType::boolean, {"true", "True", "TRUE", "false", "False", "FALSE"});
  all(CoreType::integer, {"0", "-1", "+12", "010", "0o17", "0xFf"});
  all(CoreType::real, {"1.", ".5", "-1.5e3", "1e9", "6E-2", ".inf", "-.Inf", "+.INF", ".nan", ".NAN"});
  all(CoreType::string, {"yes", "on", "y",   "tRUE", "nUll", "-",     "+",     ".",       "-.",    "e5",  "1e",
                         "1e+", "0x", "0xg", "0o8",  "-0x1", "1_000", "12:30", "1.2.3.4", ".nano", "--1", "1 "});
  EXPECT_EQ(core_type({"true", false}), CoreType::string);
}

TEST(TextOfBool, OnlyTrueAndFalse) {
  EXPECT_EQ(reading<bool>("TRUE"), "= true");
  EXPECT_EQ(reading<bool>("false"), "= false");
  EXPECT_EQ(reading<bool>("yes"), "error: 'yes' is not a boolean in YAML 1.2 | true or false | write true");
  EXPECT_EQ(reading<bool>("Off"), "error: 'Off' is not a boolean in YAML 1.2 | true or false | write false");
  EXPECT_EQ(reading<bool>("true", false),
            "error: 'true' is in quotes, which makes it a string | true or false | write it without the quotes");
  EXPECT_EQ(reading<bool>("1"), "error: expected true or false, got '1' |  | ");
}

TEST(TextOfNumber, DecimalHexAndOctal) {
  EXPECT_EQ(reading<std::uint32_t>("4294967295"), "= 4294967295");
  EXPECT_EQ(reading<std::uint32_t>("0x10"), "= 16");
  EXPECT_EQ(reading<std::uint32_t>("0o17"), "= 15");
  EXPECT_EQ(reading<std::uint32_t>("+5"), "= 5");
  EXPECT_EQ(reading<std::uint64_t>("18446744073709551615"), "= 18446744073709551615");
}

TEST(TextOfNumber, WhatIsNone) {
  const std::string wanted = "a whole number from 0 to 4294967295";
  EXPECT_EQ(reading<std::uint32_t>("4294967296"), "error: '4294967296' is more than 4294967295 | " + wanted + " | ");
  EXPECT_EQ(reading<std::uint32_t>("-1"), "error: '-1' is negative | " + wanted + " | ");
  EXPECT_EQ(reading<std::uint32_t>("010"), "error: '010' starts with 0: octal to some, decimal to others | " + wanted +
                                               " | write it without the leading zero, or in octal with 0o in front");
  EXPECT_EQ(reading<std::uint32_t>("5", false),
            "error: '5' is in quotes, which makes it a string | " + wanted + " | write it without the quotes");
  EXPECT_EQ(reading<std::uint32_t>("2.0"), "error: expected " + wanted + ", got '2.0' |  | ");
  EXPECT_EQ(reading<std::uint64_t>("18446744073709551616"),
            "error: '18446744073709551616' is more than 18446744073709551615 | a whole number | ");
}

TEST(TextOfString, ANumberIsNoString) {
  EXPECT_EQ(reading<std::string>("yes"), "= yes");
  EXPECT_EQ(reading<std::string>("5", false), "= 5");
  EXPECT_EQ(reading<std::string>("5"), "error: '5' is a number, not a string | a string | write it in quotes: \"5\"");
  EXPECT_EQ(reading<std::string>("true"),
            "error: 'true' is a boolean, not a string | a string | write it in quotes: \"true\"");
  EXPECT_EQ(reading<Verbatim>("5"), "= 5");
  EXPECT_EQ(reading<Verbatim>("true"), "= true");
}

TEST(TextOfEnum, NamesAreExact) {
  EXPECT_EQ(reading<IpoibMode>("connected"), "= connected");
  EXPECT_EQ(reading<IpoibMode>("Connected"),
            "error: expected datagram or connected, got 'Connected' |  | did you mean connected?");
  EXPECT_EQ(reading<IpoibMode>("datagramm"),
            "error: expected datagram or connected, got 'datagramm' |  | did you mean datagram?");
  EXPECT_EQ(reading<IpoibMode>("ud"), "error: expected datagram or connected, got 'ud' |  | ");
  EXPECT_EQ(Text<IpoibMode>::schema(), R"({"enum":["datagram","connected"]})");
}

TEST(Unexpected, ALongTextIsCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 31; ++i) text += "é";
  EXPECT_EQ(unexpected("x", {"a" + text, true}).message.size(), std::string("expected x, got ''...").size() + 59);
}

}  // namespace
}  // namespace rdmastate
