// SPDX-License-Identifier: Apache-2.0
// Templates: which tags there are, what they leave of their lines, and that nothing is rendered of what nobody gives.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/template.hpp"

namespace rdmastate {
namespace {

std::string marked(const std::string& value) { return "<" + value + ">"; }

std::string rendered(std::string_view text, const Values& values) { return Template("t", text, marked).render(values); }

std::string refusal(std::string_view text, const Values& values = {}) {
  try {
    rendered(text, values);
  } catch (const Error& error) {
    return error.what();
  }
  return "rendered";
}

using List = std::vector<Values>;

TEST(Template, EscapesEachValue) {
  EXPECT_EQ(rendered("a={{a}}, b={{b}}\n", {{{"a", "1"}, {"b", ""}}}), "a=<1>, b=<>\n");
}

TEST(Template, ShowsASectionForATextOnceForTrueAndForEachOfAList) {
  EXPECT_EQ(rendered("[{{#a}} via {{.}}{{/a}}]", {{{"a", "x"}}}), "[ via <x>]");
  EXPECT_EQ(rendered("[{{#a}}{{b}}{{/a}}]", {{{"a", true}, {"b", "x"}}}), "[<x>]");
  EXPECT_EQ(rendered("[{{#a}}{{b}}{{c}}{{/a}}]", {{{"a", List{{{{"b", "1"}}}, {{{"b", "2"}}}}}, {"c", "x"}}}),
            "[<1><x><2><x>]");
  EXPECT_EQ(rendered("[{{#a}}{{b}}{{/a}}{{#d}}{{b}}{{/d}}]", {{{"a", false}, {"d", List{}}}}), "[]");
  EXPECT_EQ(rendered("[{{^a}}none{{/a}}{{^b}}none{{/b}}]", {{{"a", false}, {"b", List{{}}}}}), "[none]");
}

TEST(Template, TakesTheInnermostOfOneName) {
  EXPECT_EQ(rendered("{{#a}}{{b}}{{/a}}{{b}}", {{{"a", List{{{{"b", "in"}}}}}, {"b", "out"}}}), "<in><out>");
}

TEST(Template, LeavesNoLineOfASectionsTag) {
  const std::string_view text = "one\n{{#a}}\ntwo\n{{/a}}\nthree\n";
  EXPECT_EQ(rendered(text, {{{"a", true}}}), "one\ntwo\nthree\n");
  EXPECT_EQ(rendered(text, {{{"a", false}}}), "one\nthree\n");
  EXPECT_EQ(rendered("  {{#a}}  \nx\n  {{/a}}\n", {{{"a", true}}}), "x\n");
  EXPECT_EQ(rendered("x {{#a}}\ny\n{{/a}} z\n", {{{"a", true}}}), "x \ny\n z\n") << "these are not alone";
  EXPECT_EQ(rendered("{{a}}\n", {{{"a", "1"}}}), "<1>\n") << "a value keeps its line";
}

TEST(Template, AsksForNothingThatNobodyGives) {
  EXPECT_EQ(refusal("{{a}}"), "template t needs 'a', which has no value");
  EXPECT_EQ(refusal("{{#a}}{{/a}}"), "template t needs 'a', which has no value");
  EXPECT_EQ(refusal("{{.}}"), "template t needs '.', which has no value");
  EXPECT_EQ(refusal("{{a}}", {{{"a", true}}}), "template t asks for 'a', which is no text");
}

TEST(Template, HasNoOtherTags) {
  EXPECT_EQ(refusal("x {{a"), "template t: a {{ has no }}");
  EXPECT_EQ(refusal("{{#a}}x"), "template t: {{#a}} is never closed");
  EXPECT_EQ(refusal("x{{/a}}"), "template t: {{/a}} closes nothing");
  EXPECT_EQ(refusal("{{#a}}{{#b}}{{/a}}{{/b}}"), "template t: {{/a}} closes nothing");
  for (const char* tag : {"{{{a}}}", "{{&a}}", "{{! a }}", "{{> a}}", "{{ a }}", "{{}}", "{{=<% %>=}}"})
    EXPECT_EQ(refusal(tag).rfind("template t: '", 0), 0U) << tag << ": " << refusal(tag);
}

}  // namespace
}  // namespace rdmastate
