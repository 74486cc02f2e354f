// SPDX-License-Identifier: Apache-2.0
// JSON: parsing, printing, and what is refused.
#include "base/json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "base/json_object.hpp"

namespace rdmastate {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

template <class Work>
std::string refusal(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string why_not(std::string_view text) {
  return refusal([&] { parse_json(text); });
}

Json sample() {
  return {{"text", "a\"b"},
          {"yes", true},
          {"none", nullptr},
          {"most", std::numeric_limits<std::uint64_t>::max()},
          {"least", std::numeric_limits<std::int64_t>::min()},
          {"half", 0.5},
          {"list", Json::array({1, -2, "x", Json::array(), Json::object()})},
          {"map", {{"z", 1}, {"a", 2}}}};
}

TEST(Json, PrintsInOneLineAndIndented) {
  EXPECT_EQ(sample().dump(),
            R"({"text":"a\"b","yes":true,"none":null,"most":18446744073709551615,"least":-9223372036854775808,)"
            R"("half":0.5,"list":[1,-2,"x",[],{}],"map":{"z":1,"a":2}})");
  EXPECT_EQ((Json{{"a", Json::array({1, 2})}, {"b", Json::object()}}).dump(2),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {}\n}");
}

TEST(Json, WhatIsPrintedReadsBack) {
  for (const int indent : {-1, 0, 1, 2}) EXPECT_EQ(parse_json(sample().dump(indent)), sample());
}

// RFC 8259, section 7. The ledger's digests are taken from these texts.
TEST(Json, EscapesWhatItMustAndNothingElse) {
  EXPECT_EQ(Json("\"\\/\b\f\n\r\t").dump(), R"("\"\\/\b\f\n\r\t")");
  EXPECT_EQ(Json(std::string("\x00\x01\x1f\x7f", 4)).dump(), "\"\\u0000\\u0001\\u001f\x7f\"");
  EXPECT_EQ(Json("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80").dump(), "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
  EXPECT_EQ(parse_json(R"("\u00e4\ud83d\ude00")"), Json("\xc3\xa4\xf0\x9f\x98\x80"));
}

TEST(Json, RefusesToPrintWhatIsNoUtf8) {
  EXPECT_NE(refusal([] { static_cast<void>(Json("\xff").dump()); }), "");
  EXPECT_NE(refusal([] { static_cast<void>(Json{{"\xc3", 1}}.dump()); }), "");
}

TEST(Json, KeepsTheOrderAndLooksKeysUp) {
  Json json{{"z", 1}, {"a", 2}};
  json["m"] = 3;
  json["z"] = 4;
  EXPECT_EQ(json.dump(), R"({"z":4,"a":2,"m":3})");
  json.erase("a");
  json.update({{"m", 5}, {"n", 6}});
  EXPECT_EQ(json.dump(), R"({"z":4,"m":5,"n":6})");
  EXPECT_TRUE(std::as_const(json)["absent"].is_null());
  EXPECT_EQ(json.text_or("z", "no text"), "no text");
  EXPECT_EQ(json.number_or("z", 0), 4U);
}

TEST(Json, OfContainers) {
  EXPECT_EQ(Json::array_of(std::vector<std::string>{"a", "b"}), Json::array({"a", "b"}));
  EXPECT_EQ(Json::object_of(std::map<std::string, unsigned>{{"a", 1}}), (Json{{"a", 1}}));
}

TEST(JsonText, ErrorsNameTheirPlace) {
  EXPECT_NE(why_not("{\n  \"a\": 1,\n  \"b\" 2}").find("line 3, column 7"), std::string::npos)
      << why_not("{\n  \"a\": 1,\n  \"b\" 2}");
  for (const char* text : {"", "{", "[1,]", "nul", "\"a", "{\"a\":1}x", "01", "\"\xff\"", "'a'", "[1e999]"})
    EXPECT_NE(why_not(text), "") << text;
}

TEST(JsonText, AKeyThatStandsTwiceIsRefused) {
  EXPECT_NE(why_not(R"({"a":1,"b":2,"a":3})").find("the key \"a\" stands twice"), std::string::npos);
  EXPECT_EQ(why_not(R"([{"a":1},{"a":1}])"), "");
}

TEST(JsonText, DepthIsBounded) {
  EXPECT_EQ(why_not(repeated("[", 64) + repeated("]", 64)), "");
  EXPECT_NE(why_not(repeated("[", 65) + repeated("]", 65)).find("64 deep"), std::string::npos);
  EXPECT_NE(why_not(repeated("{\"a\":", 100'000)).find("64 deep"), std::string::npos);
  EXPECT_NE(why_not(std::string(30'000'000, '[')).find("64 deep"), std::string::npos);
}

TEST(JsonText, ValuesAreBounded) {
  const std::string zeros = "[" + repeated("0,", 5'000'000) + "0]";
  EXPECT_NE(why_not(zeros).find("1000000 values"), std::string::npos);
}

// Forty thousand keys once took nine seconds. (How long it takes is the bench's; here it must only end well.)
TEST(JsonText, ManyKeys) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"key " + std::to_string(i) + "\":" + std::to_string(i) + ",";
  EXPECT_EQ(parse_json(text + "\"last\":0}").size(), 200'001U);
}

TEST(JsonText, ALongValueIsCutInAMessage) {
  Json deep = 0;
  for (int i = 0; i < 60; ++i) deep = Json::array({deep, "some text"});
  EXPECT_LE(deep.brief().size(), 64U);
  EXPECT_LE(Json(std::string(1'000'000, 'x')).brief().size(), 64U);
  EXPECT_EQ(Json(1).brief(), "1");
}

TEST(JsonReading, WrongTypesAndOverflowsAreNamed) {
  const Json json = parse_json(R"({"a":{"mtu":4294967296,"name":7,"many":18446744073709551616,"less":-1}})");
  JsonObject top(json, "");
  top.with("a", [](JsonObject& in) {
    EXPECT_EQ(refusal([&] { in.number("mtu"); }),
              "a.mtu: expected a whole number from 0 to 4294967295, got 4294967296");
    EXPECT_EQ(refusal([&] { in.text("name"); }), "a.name: expected a string, got 7");
    EXPECT_EQ(refusal([&] { in.integer("many"); }).substr(0, 17), "a.many: expected ");
    EXPECT_EQ(in.integer("less"), -1);
    EXPECT_EQ(refusal([&] { in.text("gone"); }), "a.gone: is missing");
  });
  EXPECT_EQ(refusal([&] { JsonObject(Json::array(), "x"); }), "x: expected an object, got []");
}

// A file that holds a secret may be named by mistake.
TEST(Json, OfWhatIsNoJsonNothingIsQuoted) {
  for (const char* text :
       {"\"secret", "secret", "{\"a\": 1 secret", "\"a\" \"secret'; expected \"", "{\"a\": \"secret\n\"}"}) {
    try {
      parse_json(text);
      ADD_FAILURE() << text << " is no JSON";
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find("secret"), std::string_view::npos) << error.what();
      EXPECT_TRUE(std::string_view(error.what()).starts_with("it is not JSON: line ")) << error.what();
    }
  }
}

}  // namespace
}  // namespace rdmastate
