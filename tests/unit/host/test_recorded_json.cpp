// SPDX-License-Identifier: Apache-2.0
// Records: what the reader takes and refuses, and what is written.
#include "host_generator.hpp"
#include "recorded_hosts.hpp"
#include "support/property.hpp"

namespace rdmastate {
namespace {

/// What reading says about the small host after `spoil` changed it; empty when it was accepted.
template <class Spoil>
std::string refused(Spoil&& spoil) {
  Json value = parse_json(small_host);
  spoil(value);
  try {
    read_host_model(value.dump(), "small.json");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(RecordedJson, ReadWriteReadIsTheSame) {
  for_all("read(write(x)) == x", [](Case& drawn) {
    const HostModel model = HostGenerator(static_cast<std::uint32_t>(drawn.bits(32))).make();
    const std::string text = write_host_model(model);
    const HostModel again = read_host_model(text, "x.json");
    must(write_host_model(again) == text, "what is written again is " + text);
    must(again == model, "what is read is the host of " + text);
  });
}

TEST(RecordedJson, UnknownKeysAreNamed) {
  EXPECT_EQ(refused([](Json& v) { v["lnks"] = 1; }), "small.json: lnks: is not a key that is known here");
  EXPECT_EQ(refused([](Json& v) { v["links"][2]["mut"] = 1; }),
            "small.json: links[2].mut: is not a key that is known here");
  EXPECT_EQ(refused([](Json& v) { v["links"][2]["ipoib"]["x"] = 1; }),
            "small.json: links[2].ipoib.x: is not a key that is known here");
  EXPECT_EQ(refused([](Json& v) { v["rdma"][0]["ports"][0]["x"] = 1; }),
            "small.json: rdma[0].ports[0].x: is not a key that is known here");
  EXPECT_EQ(refused([](Json& v) { v["files"]["/etc/hostname"]["x"] = 1; }),
            "small.json: files[\"/etc/hostname\"].x: is not a key that is known here");
  EXPECT_EQ(refused([](Json& v) { v["modules"]["depends"]["x"] = Json::array(); }),
            "small.json: modules.depends.x: is not a key that is known here");
}

TEST(RecordedJson, WrongTypesAreNamed) {
  EXPECT_EQ(refused([](Json& v) { v["links"][2]["mtu"] = "big"; }),
            "small.json: links[2].mtu: expected a whole number from 0 to 4294967295, got \"big\"");
  EXPECT_EQ(refused([](Json& v) { v["links"][2]["mtu"] = -1; }),
            "small.json: links[2].mtu: expected a whole number from 0 to 4294967295, got -1");
  EXPECT_EQ(refused([](Json& v) { v["links"] = 1; }), "small.json: links: expected a list, got 1");
  EXPECT_EQ(refused([](Json& v) { v["links"][0]["up"] = "yes"; }),
            "small.json: links[0].up: expected true or false, got \"yes\"");
  EXPECT_EQ(refused([](Json& v) { v["files"]["/x"] = "y"; }),
            "small.json: files[\"/x\"]: expected an object, got \"y\"");
}

TEST(RecordedJson, NumbersThatDoNotFitAreRefused) {
  const auto with_dcb = [](const char* key, std::uint32_t number) {
    return refused([&](Json& v) { v["links"][1]["dcb"] = Json{{"pfc", Json::array({3U})}, {key, number}}; });
  };
  EXPECT_EQ(with_dcb("most", 8), "");
  EXPECT_EQ(with_dcb("most", 256), "small.json: links[1].dcb.most: expected a number from 0 to 255");
  EXPECT_EQ(with_dcb("delay", 65536), "small.json: links[1].dcb.delay: expected a number from 0 to 65535");
  const auto with_ets = [](const Json& bandwidth) {
    return refused([&](Json& v) { v["links"][1]["dcb"] = Json{{"ets", Json{{"bandwidth", bandwidth}}}}; });
  };
  EXPECT_EQ(with_ets(Json::array({0U, 0U, 0U, 0U, 0U, 0U, 0U, 255U})), "");
  EXPECT_EQ(with_ets(Json()), "small.json: links[1].dcb.ets.bandwidth: expected a list, got null");
  EXPECT_EQ(refused([](Json& v) { v["links"][1]["dcb"] = Json{{"ets", Json()}, {"dcbx", Json()}}; }), "");
  EXPECT_EQ(with_ets(Json::array({0U})), "small.json: links[1].dcb.ets.bandwidth: expected 8 numbers from 0 to 255");
  EXPECT_EQ(with_ets(Json::array({256U})),
            "small.json: links[1].dcb.ets.bandwidth[0]: expected 8 numbers from 0 to 255");
  EXPECT_EQ(refused([](Json& v) {
              v["routes"] = Json::array({Json{{"link", "eth0"}, {"to", "192.0.2.0/24"}, {"protocol", 256}}});
            }),
            "small.json: routes[0].protocol: expected a number from 0 to 255");
}

TEST(RecordedJson, PausesAreKept) {
  HostModel model = read_host_model(small_host, "small.json");
  for (const auto& frames : {std::optional<std::uint64_t>(1ULL << 40U), std::optional<std::uint64_t>()}) {
    model.links[1].pause = PauseState{false, true, false, frames};
    EXPECT_EQ(read_host_model(write_host_model(model), "again.json").links[1].pause, model.links[1].pause);
  }
  EXPECT_EQ(refused([](Json& v) {
              v["links"][1]["pause"] = Json{{"tx_frames", -1}};
            }),
            "small.json: links[1].pause.tx_frames: expected a whole number that is not negative");
}

TEST(RecordedJson, CountersOfADriverAreKept) {
  HostModel model = read_host_model(small_host, "small.json");
  EXPECT_TRUE(model.links[1].flow_counters.empty());
  model.links[1].flow_counters = {{"rx_discards_phy", 1ULL << 40U}, {"tx_prio3_pause", 0}};
  EXPECT_EQ(read_host_model(write_host_model(model), "again.json").links[1].flow_counters,
            model.links[1].flow_counters);
  EXPECT_EQ(refused([](Json& v) {
              v["links"][1]["flow_counters"] = Json{{"tx_prio3_pause", "many"}};
            }),
            "small.json: links[1].flow_counters.tx_prio3_pause: expected a whole number that is not negative");
}

TEST(RecordedJson, MissingKeysAreNamed) {
  EXPECT_EQ(refused([](Json& v) { v.erase("origin"); }), "small.json: origin: is missing");
  EXPECT_EQ(refused([](Json& v) { v["links"][2].erase("mtu"); }), "small.json: links[2].mtu: is missing");
}

TEST(RecordedJson, ContradictionsAreRefused) {
  const auto says = [](const std::string& what, const std::string& part) {
    EXPECT_NE(what.find(part), std::string::npos) << what;
  };
  says(refused([](Json& v) { v["links"][2].erase("ipoib"); }), "links[2]: an interface of type 32 needs ipoib");
  says(refused([](Json& v) { v["links"][2]["address"] = "80:00"; }), "20 bytes");
  says(refused([](Json& v) { v["links"][1]["name"] = "lo"; }), "links[1].name: lo is taken");
  says(refused([](Json& v) { v["links"][1]["parent"] = "x"; }), "there is no interface x");
  says(refused([](Json& v) {
         v["addresses"] = Json::array({Json{{"link", "x"}, {"address", "192.0.2.1/24"}}});
       }),
       "addresses[0].link");
  says(refused([](Json& v) {
         v["addresses"] = Json::array({Json{{"link", "lo"}, {"address", "192.0.2.1"}}});
       }),
       "addresses[0].address");
  says(refused([](Json& v) {
         v["routes"] = Json::array({Json{{"link", "lo"}, {"to", "192.0.2.1/24"}}});
       }),
       "routes[0].to");
  says(refused([](Json& v) { v.erase("modules"); }), "ib_core");
  says(refused([](Json& v) { v["files"]["etc"] = Json{{"content", ""}}; }), "absolute");
  says(refused([](Json& v) { v["files"]["/etc/hostname/x"] = Json{{"content", ""}}; }), "no directory");
  says(refused([](Json& v) { v["files"]["/a"] = Json{{"content", ""}, {"link", "x"}}; }), "exactly one");
  says(refused([](Json& v) { v["files"]["/a"] = Json{{"content", ""}, {"mode", "644"}}; }), "four octal digits");
  says(refused([](Json& v) { v["format_version"] = 2; }), "newer");
  says(refused([](Json& v) { v["rdma"][0]["ports"][0]["pkeys"][0] = "ffff"; }), "pkeys[0]");
  says(refused([](Json& v) { v["rdma"][0]["ports"][0]["max_mtu"] = 4092; }), "max_mtu: expected an InfiniBand MTU");
}

TEST(RecordedJson, AKeyThatStandsTwiceIsRefused) {
  EXPECT_THROW(read_host_model(R"({"format_version": 1, "origin": "a", "origin": "b"})", "x"), Error);
  EXPECT_THROW(read_host_model("{", "x"), Error);
}

TEST(RecordedJson, ComparableTextForgetsWhatNobodySees) {
  RecordedHost a = make_small_host(), b = make_small_host();
  Links& links = *b.host().links;
  links.create({{}, links.find("ib0")->index, "ib0.8002", PKey{0x8002}});
  EXPECT_NE(comparable_text(a.model()), comparable_text(b.model()));
  links.remove(*links.find("ib0.8002"));
  EXPECT_NE(a.model(), b.model());
  EXPECT_EQ(comparable_text(a.model()), comparable_text(b.model()));
}

}  // namespace
}  // namespace rdmastate
