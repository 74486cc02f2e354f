// SPDX-License-Identifier: Apache-2.0
// A specification that is JSON: what is taken, how YAML's reader sees it, and each mistake at its place.
#include <gtest/gtest.h>

#include "told.hpp"
#include "yaml/json.hpp"
#include "yaml/json_text.hpp"

namespace rdmastate {
namespace {

using test::told;

sample::Spec read(const std::string& bytes) {
  Report report;
  sample::Spec spec;
  const auto document = yaml::load("spec.json", bytes, report);
  EXPECT_TRUE(document);
  if (document) yaml::read(document->root, spec, "", report);
  EXPECT_FALSE(report.failed()) << render(report, false);
  return spec;
}

std::string text_of(const std::string& json) { return *read(R"({"version":1,"id":)" + json + "}").id; }

// The first line of what is said about `bytes`, and the line with the caret.
std::string first(const std::string& bytes) {
  Report report;
  sample::Spec spec;
  const auto document = yaml::load("spec.json", bytes, report);
  if (document) yaml::read(document->root, spec, "", report);
  report.sort();
  const std::string said = render(report, false);
  return said.substr(0, said.find('\n'));
}

TEST(Json, LooksLikeItByItsNameOrItsBeginning) {
  EXPECT_TRUE(yaml::looks_like_json("a.json", "version: 1"));
  EXPECT_TRUE(yaml::looks_like_json("a.yaml", "{\"version\": 1}"));
  EXPECT_TRUE(yaml::looks_like_json("standard input", "\n\t{\r\n  \"version\": 1}"));
  EXPECT_FALSE(yaml::looks_like_json("a.yaml", "{version: 1}"));
  EXPECT_FALSE(yaml::looks_like_json("a.yaml", "# a comment\n{\"version\": 1}"));
  EXPECT_FALSE(yaml::looks_like_json("a.yaml", "---\n{\"version\": 1}"));
  EXPECT_FALSE(yaml::looks_like_json("a.yaml", "{}"));
  EXPECT_FALSE(yaml::looks_like_json("a.yaml", ""));
}

TEST(Json, IsReadWithItsTypes) {
  const auto spec = read(
      "{\"version\":1,\n\t\"ipoib\":[{\"name\":\"ib0\",\"mtu\":2044,\"umcast\":true,\"pkey\":\"0x8002\","
      "\"guid\":\"f452:1403:007b:cba1\"},{\"name\":\"ib1\",\"pkey\":32769}]}\r\n");
  ASSERT_EQ(spec.ipoib.size(), 2U);
  EXPECT_EQ(spec.ipoib[0].mtu, 2044U);
  EXPECT_EQ(spec.ipoib[0].umcast, true);
  EXPECT_EQ(spec.ipoib[0].pkey->value, 0x8002);
  EXPECT_EQ(to_text(*spec.ipoib[0].guid), "f452:1403:007b:cba1");
  EXPECT_EQ(spec.ipoib[1].pkey->value, 0x8001);
}

TEST(Json, ByteOrderMarksAndBlanksDoNotCount) {
  EXPECT_EQ(read("\xef\xbb\xbf {\"version\" : 1 , \"ipoib\" : [ ] } \n").version, 1U);
}

TEST(Json, EscapesOfEveryKind) {
  EXPECT_EQ(text_of(R"("a\"b\\c\/d")"), "a\"b\\c/d");
  EXPECT_EQ(text_of(R"("\b\f\n\r\t")"), "\b\f\n\r\t");
  EXPECT_EQ(text_of(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(text_of("\"h\xc3\xa9te\""), "h\xc3\xa9te");
}

// What YAML's core schema makes of a number is JSON's too; what a field wants of it is the same question.
TEST(Json, NumbersAndQuotesMeanWhatTheyMeanInYaml) {
  EXPECT_EQ(first(R"({"version":1,"ipoib":[{"name":"a","mtu":"2044"}]})"),
            "spec.json:1:41: error: ipoib[0].mtu: '2044' is in quotes, which makes it a string");
  EXPECT_EQ(first(R"({"version":1,"ipoib":[{"name":"a","mtu":1e3}]})"),
            "spec.json:1:41: error: ipoib[0].mtu: expected a whole number from 0 to 4294967295, got '1e3'");
  EXPECT_EQ(first(R"({"version":1,"id":7})"), "spec.json:1:19: error: id: '7' is a number, not a string");
  EXPECT_EQ(first(R"({"version":1,"id":null})"), "spec.json:1:19: error: id: null is no value");
}

TEST(Json, PlacesCountCharactersAndLines) {
  EXPECT_EQ(told("{\n  \"version\": 1,\n  \"id\": \"h\xc3\xa9te\", \"ipiob\": []\n}\n"),
            "spec.yaml:3:17: error: unknown key 'ipiob'\n"
            "    3 |   \"id\": \"h\xc3\xa9te\", \"ipiob\": []\n"
            "      |                 ^~~~~~~\n"
            "  expected: one of version, id, ipoib, options, ports\n"
            "  hint: did you mean ipoib?\n"
            "1 error\n");
}

TEST(Json, AKeyThatStandsTwice) {
  EXPECT_EQ(first("{\"version\":1,\n\"version\":1}"),
            "spec.json:2:1: error: duplicate key 'version'; the first is in line 1");
  EXPECT_EQ(first(R"({"version":1,"id":"a","\u0069d":"b"})"),
            "spec.json:1:23: error: duplicate key 'id'; the first is in line 1");
}

// Of what is no JSON: the offset, and what is said.
std::string mistake(const std::string& bytes) {
  const auto problem = yaml::json_problem(bytes);
  return problem ? std::to_string(problem->offset) + ": " + problem->complaint.message : "none";
}

TEST(Json, WhatPeopleWriteInItsPlace) {
  EXPECT_EQ(mistake(R"({"version":1,})"), "12: a comma that nothing follows");
  EXPECT_EQ(mistake(R"({"ipoib":[1,]})"), "11: a comma that nothing follows");
  EXPECT_EQ(mistake(R"({version: 1})"), "1: the key 'version' without quotes");
  EXPECT_EQ(mistake("version: 1\n"), "0: 'version' is no value in JSON");
  EXPECT_EQ(mistake(R"({'version': 1})"), "1: a text in single quotes");
  EXPECT_EQ(mistake("{ // one\n}"), "2: a comment, which JSON does not have");
  EXPECT_EQ(mistake(R"({"id": yes})"), "7: 'yes' is no value in JSON");
  EXPECT_EQ(mistake(R"({"id": 0x10})"), "7: '0x10' is no number in JSON");
  EXPECT_EQ(mistake(R"({"id": })"), "7: expected a value, got '}'");
  EXPECT_EQ(mistake(R"({"id" 1})"), "6: expected ':' between a key and its value");
  EXPECT_EQ(mistake(R"({"a": 1 "b": 2})"), "8: expected ',' or '}'");
  EXPECT_EQ(mistake(R"({"a": [1 2]})"), "9: expected ',' or ']'");
  EXPECT_EQ(mistake(R"({"version": 1} {})"), "15: more text behind the end of the JSON value");
  EXPECT_EQ(mistake(R"({"version": 1, "ipoib": [{"a": null}, []]})"), "none");
}

TEST(Json, WhatEndsTooEarly) {
  EXPECT_EQ(mistake(R"({"version": 1)"), "0: this { has no }");
  EXPECT_EQ(mistake(R"({"ipoib": [ 1)"), "10: this [ has no ]");
  EXPECT_EQ(mistake(R"({"version": )"), "0: the file ends where a value is expected");
  EXPECT_EQ(mistake(R"({"version": 1,)"), "0: this { has no }");
  EXPECT_EQ(mistake(R"({"id": "x)"), "7: a quote that is never closed");
  EXPECT_EQ(mistake("{\"id\": \"x\n\"}"), "7: a string that goes on in the next line");
  EXPECT_EQ(mistake("{\"id\": \"x\ty\"}"), "9: a tab within a string");
}

TEST(Json, EscapesThatAreNone) {
  EXPECT_EQ(mistake(R"({"id": "a\qb"})"), "9: an unknown escape in a string");
  for (const std::string line : {R"("\u12")", R"("\u12g4")", R"("\ud83d")", R"("\ud83d\u0041")", R"("\ude00")"})
    EXPECT_EQ(mistake(R"({"id": )" + line + "}"), "8: \\u without the digits of a character") << line;
}

// What an earlier version read as YAML still is.
TEST(Json, WhatIsOnlyYamlIsYaml) {
  EXPECT_EQ(read("{\"version\": 1, # one\n 'id': a,}").id, "a");
  EXPECT_EQ(read("version: 1\n").version, 1U);
}

TEST(Json, WhatIsNeitherIsToldAsJson) {
  EXPECT_EQ(first(""), "spec.json: error: holds nothing");
  EXPECT_EQ(first("{\"version\": 1\n \"id\": \"a\"}"), "spec.json:2:2: error: expected ',' or '}'");
  EXPECT_EQ(first(R"({"version": 1, "id": "\ud83d"})"), "spec.json:1:23: error: \\u without the digits of a character");
  EXPECT_EQ(first("{\"ipoib\": " + std::string(70, '[') + std::string(70, ']') + "}"),
            "spec.json:1:74: error: nested more than 64 deep");
}

TEST(Json, NumbersByTheGrammar) {
  for (const std::string_view word : {"0", "-0", "7", "120", "-1.5", "1e3", "1E+3", "2.5e-7"})
    EXPECT_TRUE(yaml::is_json_number(word)) << word;
  for (const std::string_view word :
       {"", "-", "+1", "01", "00", ".5", "1.", "1e", "1e+", "0x1", "1_000", "NaN", "Infinity"})
    EXPECT_FALSE(yaml::is_json_number(word)) << word;
}

TEST(Json, LengthHasTheFilesLimitAlone) {
  std::string many = R"({"version":1,"ipoib":[{"name":"ib0"})";
  for (int i = 1; i < 20000; ++i) many += ",\n{\"name\":\"ib" + std::to_string(i) + "\"}";
  EXPECT_EQ(read(many + "]}").ipoib.size(), 20000U);  // 360 KiB in brackets, which YAML's reader refuses to buffer
}

}  // namespace
}  // namespace rdmastate
