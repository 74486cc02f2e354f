// SPDX-License-Identifier: Apache-2.0
// Text that must come through a format unharmed.
#include <gtest/gtest.h>

#include "cli/output.hpp"
#include "cli/pipeline_cases.hpp"
#include "cli/roff.hpp"

namespace rdmastate {
namespace {

TEST(Roff, TakesNothingForARequestOrAnEscape) {
  EXPECT_EQ(roff(".TH is text"), "\\&.TH is text");
  EXPECT_EQ(roff("'TH"), "\\(aqTH");
  EXPECT_EQ(roff("C:\\fBx"), "C:\\efBx");
  EXPECT_EQ(roff("--in-use"), "\\-\\-in\\-use");
  EXPECT_EQ(roff("a^b~c`d\"e"), "a\\(hab\\(tic\\(gad\\(dqe");
  EXPECT_EQ(roff("\xc3\xa4"), "\\[u00E4]");
}

TEST(Roff, EachWrappedLineIsGuarded) {
  ManPage page("T", 1, "t", "a test");
  std::string text = "start";
  for (int i = 0; i < 100; ++i) text += " .etc/x";
  page.paragraph(text);
  page.example(".so /etc/passwd\n\n'quoted");
  EXPECT_EQ(page.text().find("\n.etc"), std::string::npos) << page.text();
  EXPECT_NE(page.text().find("\n\\&.etc"), std::string::npos) << page.text();
  EXPECT_NE(page.text().find("\n\\&.so /etc/passwd\n\\&\n\\(aqquoted\n"), std::string::npos) << page.text();
}

TEST(Rules, AreFieldsWithoutIndicesAndKeys) {
  EXPECT_EQ(rule_of(""), "spec");
  EXPECT_EQ(rule_of("ipobi"), "spec");
  EXPECT_EQ(rule_of("ipoib[1].ipv4.routes[0].via"), "ipoib.ipv4.routes.via");
  EXPECT_EQ(rule_of("ipoib[1].no_such"), "ipoib");
  EXPECT_EQ(rule_of("ipoib"), "ipoib");
  EXPECT_EQ(rule_of("devices[0].ports.1.roce.tos"), "devices.ports.roce.tos");
  EXPECT_EQ(rule_of("devices[0].ports"), "devices.ports");
  EXPECT_EQ(rule_text("devices.ports.roce.tos"), rule_text(rule_of("devices[7].ports.2.roce.tos")));
  EXPECT_NE(rule_text("devices.ports.roce.tos"), rule_text("spec"));
}

Case hostile() {
  Finding finding;
  finding.rule = "spec";
  finding.file = "a&b.yaml";
  finding.place = {0, 3, 7, 2};
  finding.message = "\x1b]0;<x>\n\"\xff\xef\xbf\xbf";
  return {"spec", "]]>", CaseResult::failed, {finding}};
}

TEST(Junit, ForbiddenCharactersAreShown) {
  const std::string text = junit_text(std::vector{hostile()}, "a\tb");
  EXPECT_NE(text.find("name=\"a&#9;b\" tests=\"1\" failures=\"1\""), std::string::npos) << text;
  EXPECT_NE(text.find("name=\"]]&gt;\""), std::string::npos) << text;
  EXPECT_NE(text.find("message=\"\\x1b]0;&lt;x&gt;&#10;&quot;\\xff\\xef\\xbf\\xbf\""), std::string::npos) << text;
  EXPECT_NE(text.find("a&amp;b.yaml:3:7: "), std::string::npos) << text;
}

TEST(Github, AMessageIsOneLine) {
  const std::string text = github_text(std::vector{hostile()});
  EXPECT_EQ(text, "::error file=a&b.yaml,line=3,col=7::\\x1b]0;<x>%0A\"\\xff\xef\xbf\xbf\n");
}

}  // namespace
}  // namespace rdmastate
