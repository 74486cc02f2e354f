// SPDX-License-Identifier: Apache-2.0
// One table, five engines.
#include <gtest/gtest.h>

#include "../yaml/sample.hpp"
#include "base/error.hpp"
#include "base/fields_diff.hpp"
#include "base/fields_explain.hpp"
#include "base/fields_json.hpp"
#include "base/fields_overlay.hpp"
#include "base/fields_schema.hpp"

namespace rdmastate {
namespace {

struct Shared {
  std::optional<bool> quick{};
  std::optional<std::uint32_t> size{};
};
struct Inheriting : Shared {
  std::uint32_t key = 0;
  std::optional<std::string> note{};
};

}  // namespace

template <>
struct Fields<Shared> {
  static constexpr std::string_view name = "shared";
  static constexpr std::string_view doc = "What several structs have.";
  static constexpr auto table =
      Table{Field{"quick", &Shared::quick, "Quick.", {.on_create = "false"}}, Field{"size", &Shared::size, "Size."}};
};
template <>
struct Fields<Inheriting> {
  static constexpr std::string_view name = "inheriting";
  static constexpr std::string_view doc = "One of them.";
  static constexpr auto table =
      joined<Inheriting>(Table{Field{"key", &Inheriting::key, "Key.", {.required = true}}}, Fields<Shared>::table,
                         Table{Field{"note", &Inheriting::note, "Note."}});
};

namespace {

using sample::Ipoib;
using sample::Spec;

template <class T>
T value_of(std::string_view text) {
  T value{};
  static_cast<void>(Text<T>::read({text, true}, value));
  return value;
}

Ipoib child() {
  Ipoib ipoib;
  ipoib.name = IfName{"mlx4_ib0.8002"};
  ipoib.pkey = PKey{0x8002};
  ipoib.mtu = 2044;
  ipoib.umcast = false;
  ipoib.ipv4.emplace().addresses = std::vector{value_of<IpInterface>("192.0.2.1/24")};
  ipoib.ipv4->routes.emplace().push_back({value_of<IpNetwork>("203.0.113.0/24"), {}, 50});
  return ipoib;
}

Spec whole() {
  Spec spec;
  spec.version = 1;
  spec.ipoib = {child()};
  spec.options = {{ModuleName{"ib_ipoib"}, {{"recv_queue_size", Verbatim{"512"}}}}};
  spec.ports.emplace()[1].addresses.emplace(1);
  return spec;
}

const char* const whole_json =
    R"({"version":1,"ipoib":[{"name":"mlx4_ib0.8002","pkey":"0x8002","mtu":2044,"umcast":false,)"
    R"("ipv4":{"addresses":["192.0.2.1/24"],"routes":[{"to":"203.0.113.0/24","metric":50}]}}],)"
    R"("options":{"ib_ipoib":{"recv_queue_size":"512"}},"ports":{"1":{"addresses":["0.0.0.0/0"]}}})";

TEST(FieldsJson, ThereAndBack) {
  EXPECT_EQ(to_json_of(whole()).dump(), whole_json);
  const auto again = from_json_as<Spec>(parse_json(whole_json));
  EXPECT_TRUE(same(again, whole()));
  EXPECT_FALSE(same(again, Spec{}));
}

std::string refusal(std::string_view json) {
  try {
    static_cast<void>(from_json_as<Spec>(parse_json(json), "plan"));
  } catch (const Error& error) {
    return error.what();
  }
  return "taken";
}

TEST(FieldsJoined, ABasesFieldsStandAmongThoseOfWhoInheritsThem) {
  const std::string text = R"({"key":7,"quick":true,"size":5,"note":"a"})";
  const auto read = from_json_as<Inheriting>(parse_json(text));
  EXPECT_EQ(read.quick, true);
  EXPECT_EQ(read.size, 5U);
  EXPECT_EQ(to_json_of(read).dump(), text);
  EXPECT_EQ(as_created(Inheriting{}).quick, false);
}

TEST(FieldsOverlay, DifferingAndAsItIsGoFieldByField) {
  const Shared present{true, 5}, wanted{false, std::nullopt};
  EXPECT_EQ(to_json_of(differing(present, wanted)).dump(), R"({"quick":false})");
  EXPECT_EQ(to_json_of(differing(present, present)).dump(), "{}");
  EXPECT_EQ(to_json_of(laid_over(present, wanted)).dump(), R"({"quick":false,"size":5})");
  EXPECT_EQ(to_json_of(as_it_is(wanted, present)).dump(), R"({"quick":true})");
  EXPECT_TRUE(says_anything(wanted));
  EXPECT_FALSE(says_anything(Shared{}));
}

TEST(FieldsJson, RefusesWhatIsNotExactlyRight) {
  EXPECT_EQ(refusal(R"({"version":1,"x":2})"), "plan: unknown key 'x'");
  EXPECT_EQ(refusal(R"({})"), "plan: 'version' is missing");
  EXPECT_EQ(refusal(R"([])"), "plan: expected a map, got []");
  EXPECT_EQ(refusal(R"({"version":"1"})"), "plan.version: '1' is in quotes, which makes it a string");
  EXPECT_EQ(refusal(R"({"version":1.5})"), "plan.version: expected a whole number from 0 to 4294967295, got 1.5");
  EXPECT_EQ(refusal(R"({"version":1,"ipoib":{}})"), "plan.ipoib: expected a list, got {}");
  EXPECT_EQ(refusal(R"({"version":1,"ipoib":[{"name":"a","pkey":"0x8000"}]})"),
            "plan.ipoib[0].pkey: '0x8000' is the full-member bit without a partition; the kernel refuses it");
  EXPECT_EQ(refusal(R"({"version":1,"ipoib":[{"name":"a","umcast":null}]})"),
            "plan.ipoib[0].umcast: expected true or false, got null");
  EXPECT_EQ(refusal(R"({"version":1,"ports":{"x":{}}})"),
            "plan.ports.x: expected a whole number from 0 to 4294967295, got 'x'");
}

using Changes = std::vector<FieldChange>;

TEST(FieldsDiff, WhatIsAbsentIsLeftAlone) {
  EXPECT_EQ(diff(child(), Ipoib{}), Changes{});
  EXPECT_EQ(diff(child(), child()), Changes{});
}

TEST(FieldsDiff, FieldByField) {
  Ipoib wanted;
  wanted.mtu = 4092;
  wanted.mode = IpoibMode::connected;
  wanted.ipv4.emplace().addresses =
      std::vector{value_of<IpInterface>("192.0.2.1/24"), value_of<IpInterface>("192.0.2.2/24")};
  const Changes expected{{"mode", std::nullopt, "connected"},
                         {"mtu", "2044", "4092"},
                         {"ipv4.addresses", "[192.0.2.1/24]", "[192.0.2.1/24, 192.0.2.2/24]"}};
  EXPECT_EQ(diff(child(), wanted), expected);
}

TEST(FieldsDiff, WhatIsNotThereYet) {
  const Ipoib wanted = child();
  const Changes changes = diff(record_of<Ipoib>(), nullptr, &wanted);
  ASSERT_EQ(changes.size(), 5U);
  EXPECT_EQ(changes[4], (FieldChange{"ipv4", std::nullopt,
                                     "{addresses: [192.0.2.1/24], routes: [{to: 203.0.113.0/24, metric: 50}]}"}));
}

TEST(FieldsDiff, AWholeMapLosesKeysAndAnotherDoesNot) {
  Spec wanted = whole();
  wanted.options->clear();
  wanted.ports->clear();
  EXPECT_EQ(diff(whole(), wanted), (Changes{{"options.ib_ipoib", "{recv_queue_size: 512}", std::nullopt}}));
}

TEST(FieldsSchema, SaysWhatTheReaderTakes) {
  const auto schema = json_schema(record_of<Spec>());
  EXPECT_EQ(schema["$schema"], "http://json-schema.org/draft-07/schema#");
  EXPECT_EQ(schema["required"], Json::array({"version"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  const auto& ipoib = schema["properties"]["ipoib"]["items"];
  EXPECT_EQ(
      ipoib["properties"]["mode"].dump(),
      R"({"enum":["datagram","connected"],"description":"Transport mode. An object that is created gets datagram.",)"
      R"("examples":["connected"]})");
  EXPECT_EQ(ipoib["properties"]["mtu"]["examples"].dump(), "[2044]");
  EXPECT_EQ(ipoib["properties"]["pkey"]["examples"].dump(), R"(["0x8002"])");
  EXPECT_EQ(schema["properties"]["ports"]["propertyNames"]["pattern"], "^[0-9]+$");
}

TEST(FieldsExplain, AField) {
  EXPECT_EQ(explain(record_of<Spec>(), "ipoib.mode"),
            "ipoib.mode: Transport mode.\n"
            "    takes      datagram or connected\n"
            "    on create  datagram\n"
            "    example    mode: connected\n");
}

TEST(FieldsExplain, ARecordListsItsFields) {
  EXPECT_EQ(explain(record_of<Spec>(), "ipoib[0].ipv4.routes"),
            "ipoib.ipv4.routes: Its routes.\n"
            "    takes      a list, each a map of the fields below\n"
            "    fields:\n"
            "      to      (required) Where it leads.\n"
            "      via     The gateway.\n"
            "      metric  Less is preferred.\n");
}

TEST(FieldsExplain, TakesPathsAsTheyStandInYaml) {
  const std::string told = explain(record_of<Spec>(), "ipoib.mode");
  for (const char* path :
       {"ipoib[0].mode", "ipoib[].mode", "ipoib.0.mode", "ipoib.N.mode", "- ipoib.mode:", " ipoib.mode: "})
    EXPECT_EQ(explain(record_of<Spec>(), path), told) << path;
  for (const char* path : {"ipoib.mode.0", "0.ipoib", "ipoib.x.mode"})
    EXPECT_THROW(explain(record_of<Spec>(), path), Error) << path;
}

TEST(FieldsExplain, AnUnknownPathGetsTheNearest) {
  const auto refused = [](std::string_view path) {
    try {
      return explain(record_of<Spec>(), path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refused("ipoib.pkye"), "there is no field 'pkye' in ipoib: did you mean pkey?");
  EXPECT_EQ(refused("qqqqqq"), "there is no field 'qqqqqq' at the top");
  EXPECT_EQ(refused("version.x"), "version has no fields: it takes a whole number from 0 to 4294967295");
  EXPECT_EQ(refused("ipoib["), "'ipoib[' is not the path of a field");
}

}  // namespace
}  // namespace rdmastate
