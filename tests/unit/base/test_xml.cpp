// SPDX-License-Identifier: Apache-2.0
// XML as elements with places, and what is refused.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/xml.hpp"

namespace rdmastate {
namespace {

std::string at(std::string_view text, const xml::Element& one) {
  return std::string(text.substr(one.begin, one.end - one.begin));
}

std::string refusal(std::string_view text) try {
  static_cast<void>(xml::elements(text));
  return {};
} catch (const Error& error) {
  return error.what();
}

TEST(Xml, ElementsHaveTheirPlaces) {
  const std::string text =
      "<?xml version=\"1.0\"?>\n<!-- <no/> -->\n<zone a='1'>\n  <x/>\n  <y b=\"&lt;\">t</y></zone>\n";
  const auto all = xml::elements(text);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(at(text, all[0]).front(), '<');
  EXPECT_EQ(text.substr(all[0].inner_begin, 3), "\n  ");
  EXPECT_EQ(text.substr(all[0].inner_end), "</zone>\n");
  EXPECT_EQ(at(text, all[1]), "<x/>");
  EXPECT_EQ(all[1].inner_begin, all[1].end);
  EXPECT_EQ(at(text, all[2]), "<y b=\"&lt;\">t</y>");
  EXPECT_EQ(all[2].value("b"), "<");
  EXPECT_EQ(all[2].value("a"), "");
  EXPECT_EQ(all[0].depth, 0U);
  EXPECT_EQ(all[2].depth, 1U);
}

TEST(Xml, RefusesWhatIsNoneAndWhatAttacksUse) {
  EXPECT_EQ(refusal(""), "line 1: no element found");
  EXPECT_EQ(refusal("<zone>\n<port></zone>"), "line 2: mismatched tag");
  EXPECT_EQ(refusal("<!DOCTYPE z [<!ENTITY a \"b\">]>\n<z>&a;</z>"), "line 1: it has a document type (DOCTYPE)");
  EXPECT_NE(refusal("<z>&a;</z>"), "");
  EXPECT_EQ(refusal(std::string("\xff\xfe<\0z\0/\0>\0", 10)), "it is not UTF-8: it has a NUL byte");
  EXPECT_NE(refusal("<z>\xe9</z>"), "") << "Latin-1";
  std::string deep;
  for (int i = 0; i < 33; ++i) deep += "<z>";
  EXPECT_NE(refusal(deep).find("more than 32 levels"), std::string::npos);
  EXPECT_EQ(refusal(std::string(1U << 21U, ' ')), "it has more than 1 MiB");
}

}  // namespace
}  // namespace rdmastate
