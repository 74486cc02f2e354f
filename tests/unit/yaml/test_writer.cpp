// SPDX-License-Identifier: Apache-2.0
// Writing YAML.
#include <gtest/gtest.h>

#include "support/property.hpp"
#include "told.hpp"
#include "yaml/writer.hpp"

namespace rdmastate {
namespace {

TEST(Writer, AsAPersonWouldWriteIt) {
  sample::Spec spec;
  spec.version = 1;
  spec.id = "5";
  spec.ipoib.resize(2);
  spec.ipoib[0].name = IfName{"mlx4_ib0"};
  spec.ipoib[0].guid = Guid{0xf4521403007bcba1};
  spec.ipoib[1].pkey = PKey{0x8002};
  spec.ipoib[1].ipv4.emplace().addresses.emplace(2);
  spec.ipoib[1].ipv4->routes.emplace(1);
  spec.options = {{ModuleName{"ib_ipoib"}, {{"queue size", Verbatim{"512"}}}}};
  spec.ports.emplace();
  EXPECT_EQ(yaml::to_yaml_of(spec),
            "version: 1\n"
            "id: \"5\"\n"
            "ipoib:\n"
            "  - name: mlx4_ib0\n"
            "    guid: \"f452:1403:007b:cba1\"\n"
            "  - pkey: 0x8002\n"
            "    ipv4:\n"
            "      addresses: [0.0.0.0/0, 0.0.0.0/0]\n"
            "      routes:\n"
            "        - {}\n"
            "options:\n"
            "  ib_ipoib:\n"
            "    \"queue size\": 512\n"
            "ports: {}\n");
}

TEST(Writer, QuotesWhatWouldBeReadAsSomethingElse) {
  const auto written = [](std::string text) { return yaml::to_yaml(Json{{"a", std::move(text)}}); };
  EXPECT_EQ(written("x"), "a: x\n");
  EXPECT_EQ(written("yes"), "a: yes\n");
  EXPECT_EQ(written("true"), "a: \"true\"\n");
  EXPECT_EQ(written("010"), "a: \"010\"\n");
  EXPECT_EQ(written(""), "a: \"\"\n");
  EXPECT_EQ(written("~"), "a: \"~\"\n");
  EXPECT_EQ(written("- x"), "a: \"- x\"\n");
  EXPECT_EQ(written("a\"\\\n\x1b\u202e"), "a: \"a\\\"\\\\\\n\\u001b\\u202e\"\n");
}

// An item of a list is whole, what a struct must have stands beside its part, and other parts are left out.
TEST(Writer, WritesPartsInOneLine) {
  sample::Spec spec;
  spec.version = 1;
  spec.ipoib.resize(3);
  spec.ipoib[0].name = IfName{"mlx4_ib0"};
  spec.ipoib[1].name = IfName{"mlx4_ib1"};
  spec.ipoib[1].guid = Guid{0xf4521403007bcba1};
  spec.ipoib[1].ipv4.emplace().addresses.emplace(2);
  spec.options = {{ModuleName{"ib_ipoib"}, {{"size", Verbatim{"1"}}, {"queue size", Verbatim{"512"}}}}};
  const auto lines = [&](const std::vector<std::string>& paths) {
    return yaml::to_lines(record_of<sample::Spec>(), &spec, paths);
  };
  const std::string whole =
      "ipoib: [{name: mlx4_ib1, guid: \"f452:1403:007b:cba1\", ipv4: {addresses: [0.0.0.0/0, 0.0.0.0/0]}}]";
  EXPECT_EQ(lines({"ipoib[1]"}), std::vector{whole});
  EXPECT_EQ(lines({"ipoib[1].guid", "ipoib[1].ipv4.addresses"}), std::vector{whole});
  EXPECT_EQ(lines({"opt", "ports"}), std::vector<std::string>{});
  EXPECT_EQ(lines({"options.ib_ipoib.queue size", "version"}),
            (std::vector<std::string>{"version: 1", "options: {ib_ipoib: {\"queue size\": 512}}"}));
}

Json json_of(const yaml::Node& node) {
  Json json;
  switch (node.type()) {
    case yaml::NodeType::map:
      json = Json::object();
      for (const auto& entry : node.entries()) json[std::string(entry.key.as_scalar().text)] = json_of(entry.value);
      break;
    case yaml::NodeType::list:
      json = Json::array();
      for (const auto& item : node.items()) json.push_back(json_of(item));
      break;
    case yaml::NodeType::scalar: {
      const Scalar scalar = node.as_scalar();
      json = core_type(scalar) == CoreType::string ? Json(scalar.text) : parse_json(scalar.text);
      break;
    }
    case yaml::NodeType::broken:
      break;
  }
  return json;
}

std::string any_text(Case& drawn) {
  static const std::vector<std::string> parts{
      "a", "Z", "0",  "7", "x", "-", ":", " ", "#", "\n", "\t", "'", "\"", "\\", "[",    "]",    "{",    "}",     ",",
      "~", "é", "名", ".", "e", "&", "*", "!", "|", ">",  "%",  "@", "`",  "?",  "null", "true", "\x01", "\u2028"};
  return drawn.text_of(parts);
}

Json any_json(Case& drawn, int depth) {
  const int kind = drawn.number(0, depth > 0 ? 5 : 3);
  if (kind == 0) return any_text(drawn);
  if (kind == 1) return drawn.flip();
  if (kind == 2) return drawn.bits(64);
  Json json = kind == 3 ? Json::array() : Json::object();
  for (int i = drawn.number(0, 4); i > 0; --i) {
    if (kind == 3) json.push_back(any_json(drawn, depth - 1));
    if (kind == 4) {
      const std::string key = any_text(drawn);
      if (key != "<<") json[key] = any_json(drawn, depth - 1);
    }
  }
  return json;
}

TEST(Writer, WhatIsWrittenReadsBack) {
  for_all("load(to_yaml(x)) == x", [](Case& drawn) {
    const Json json{{"a", any_json(drawn, 3)}};
    const std::string text = yaml::to_yaml(json);
    Report report;
    const auto document = yaml::load("written", text, report);
    if (report.failed()) falsify(text + render(report, false));
    if (json_of(document->root) != json) falsify(text);
  });
}

}  // namespace
}  // namespace rdmastate
