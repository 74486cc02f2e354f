// SPDX-License-Identifier: Apache-2.0
// What a peer says is read strictly: nothing cut short, too large, of another type or another version is taken.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "doctor/greeting.hpp"
#include "host/peers.hpp"

namespace rdmastate::doctor {
namespace {

using Step = StepWord::Step;

RcGid gid(unsigned index, const std::string& address, RoceMode type) {
  RcGid made{index, {}, type};
  EXPECT_FALSE(Text<IpAddress>::read({address, false}, made.address));
  return made;
}

Greeting whole() {
  Greeting greeting{std::chrono::milliseconds(5000), {}};
  greeting.ports.push_back(
      {"mlx5_0", 1, LinkLayer::infiniband, 5, 4096, {0xffff, 0x8002}, {gid(0, "fe80::5054:ff:fe00:1", RoceMode::v1)}});
  greeting.ports.push_back(
      {"mlx5_bond_0", 2, LinkLayer::ethernet, 0, 1024, {0xffff}, {gid(3, "192.0.2.1", RoceMode::v2)}});
  return greeting;
}

std::string refusal(const std::string& line) {
  try {
    read_greeting(line);
  } catch (const Error& error) {
    return error.what();
  }
  return "it was taken";
}

TEST(DoctorGreeting, ComesBackAsItWas) { EXPECT_EQ(read_greeting(print_greeting(whole())), whole()); }

TEST(DoctorGreeting, TakesEveryNameThatASpecMayGive) {
  Greeting greeting = whole();
  greeting.ports[0].device = "a:b-c.d_0";
  EXPECT_EQ(read_greeting(print_greeting(greeting)), greeting);
}

TEST(DoctorGreeting, IsOneLineThatFits) {
  Greeting most{std::chrono::milliseconds(60000), {}};
  RcPort port{std::string(63, 'x'), 255, LinkLayer::ethernet, 65535, 4096, {}, {}};
  port.pkeys.assign(most_pkeys, 0xffff);
  port.gids.assign(most_gids, gid(255, "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", RoceMode::v2));
  most.ports.assign(most_ports, port);
  const std::string line = print_greeting(most);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_LT(line.size(), Conversation::longest);
  EXPECT_EQ(read_greeting(line), most);
}

TEST(DoctorGreeting, CutShortIsRefused) {
  const std::string line = print_greeting(whole());
  for (std::size_t size = 0; size < line.size(); ++size)
    EXPECT_NE(refusal(line.substr(0, size)), "it was taken") << line.substr(0, size);
}

struct Wrong {
  const char* from;
  const char* to;
  const char* said;
};
const Wrong wrongs[] = {
    {R"("rdmastate_peer":1)", R"("rdmastate_peer":2)", "it speaks version 2"},
    {R"("rdmastate_peer":1)", R"("rdmastate_peer":"1")", "rdmastate_peer"},
    {R"("rdmastate_peer":1,)", "", "rdmastate_peer"},
    {R"("patience_ms":5000)", R"("patience_ms":999)", "expected 1000 to 60000"},
    {R"("patience_ms":5000)", R"("patience_ms":4000000000)", "expected 1000 to 60000"},
    {R"("patience_ms":5000)", R"("patience_ms":-1)", "patience_ms"},
    {R"("patience_ms":5000)", R"("patience_ms":5000,"run":"reboot")", "run"},
    {R"("device":"mlx5_0")", R"("device":"../x")", "holds '/'"},
    {R"("device":"mlx5_0")", R"("device":"")", "is empty"},
    {R"("device":"mlx5_0")", R"("device":"a b")", "ports[0].device"},
    {R"("device":"mlx5_0")", R"("device":["mlx5_0"])", "ports[0].device"},
    {R"("port":1)", R"("port":0)", "expected 1 to 255"},
    {R"("port":1)", R"("port":256)", "expected 1 to 255"},
    {R"("link_layer":"infiniband")", R"("link_layer":"unspecified")", "link_layer"},
    {R"("link_layer":"infiniband")", R"("link_layer":"token-ring")", "link_layer"},
    {R"("lid":5)", R"("lid":0)", "expected 1 to 65535"},
    {R"("lid":5)", R"("lid":65536)", "expected 1 to 65535"},
    {R"("lid":5)", R"("lid":5.5)", "lid"},
    {R"("mtu":4096)", R"("mtu":0)", "expected 256 to 4096"},
    {R"("mtu":4096)", R"("mtu":1500)", "expected 256, 512, 1024, 2048 or 4096"},
    {R"("pkeys":[65535,32770])", R"("pkeys":[65536])", "is no P_Key"},
    {R"("pkeys":[65535,32770])", R"("pkeys":["0xffff"])", "pkeys[0]"},
    {R"("pkeys":[65535,32770])", R"("pkeys":7)", "pkeys"},
    {R"("gid":"192.0.2.1")", R"("gid":"192.0.2.256")", "gid"},
    {R"("index":3)", R"("index":256)", "expected 0 to 255"},
    {R"("type":"v2")", R"("type":"v3")", "type"},
};

TEST(DoctorGreeting, EachMistakeIsNamed) {
  const std::string line = print_greeting(whole());
  for (const auto& wrong : wrongs) {
    std::string text = line;
    const auto at = text.find(wrong.from);
    ASSERT_NE(at, std::string::npos) << wrong.from << " in " << line;
    text.replace(at, std::string_view(wrong.from).size(), wrong.to);
    EXPECT_NE(refusal(text).find(wrong.said), std::string::npos) << wrong.to << ": " << refusal(text);
  }
}

TEST(DoctorGreeting, MoreThanFitsIsRefused) {
  Greeting ports = whole();
  ports.ports.assign(most_ports + 1, ports.ports[0]);
  EXPECT_NE(refusal(print_greeting(ports)).find("there are more than 32"), std::string::npos);
  Greeting pkeys = whole();
  pkeys.ports[0].pkeys.assign(most_pkeys + 1, 0xffff);
  EXPECT_NE(refusal(print_greeting(pkeys)).find("there are more than 64"), std::string::npos);
  Greeting gids = whole();
  gids.ports[1].gids.assign(most_gids + 1, gids.ports[1].gids[0]);
  EXPECT_NE(refusal(print_greeting(gids)).find("there are more than 8"), std::string::npos);
  EXPECT_NE(refusal(std::string(10, '[')), "it was taken");
  std::string values = R"({"rdmastate_peer":[)";
  for (int i = 0; i < 9000; ++i) values += "1,";
  EXPECT_NE(refusal(values + "1]}"), "it was taken");
}

TEST(DoctorSteps, ComeBackAsTheyWere) {
  const StepWord made = read_step(print_step({Step::made, {0xffffff, 12}, {}}), Step::made);
  EXPECT_EQ(made.end, (QueuePairEnd{0xffffff, 12}));
  EXPECT_FALSE(made.trouble);
  const Trouble trouble{Trouble::Kind::large_lost, "transport \"retry\"", 110};
  const StepWord done = read_step(print_step({Step::done, {}, trouble}), Step::done);
  ASSERT_TRUE(done.trouble);
  EXPECT_EQ(done.trouble->kind, trouble.kind);
  EXPECT_EQ(done.trouble->said, trouble.said);
  EXPECT_EQ(done.trouble->number, 110);
}

TEST(DoctorSteps, AreRefusedWhereTheyAreNotExpected) {
  for (const std::string line :
       {R"({"step":"connected"})", R"({"step":"made"})", R"({"step":"made","queue_pair":16777216,"psn":1})",
        R"({"step":"made","queue_pair":1,"psn":-1})", R"({"step":"made","queue_pair":1,"psn":1,"more":1})",
        R"({"step":"made","trouble":{"kind":"odd","said":"","errno":0}})",
        R"({"step":"made","trouble":{"kind":"setup","said":"","errno":5000}})", R"({"step":"made","trouble":7})", "[]",
        ""})
    EXPECT_THROW(read_step(line, Step::made), Error) << line;
  const std::string text(1000, 'x');
  const auto cut = read_step(print_step({Step::done, {}, Trouble{Trouble::Kind::failed, text, 0}}), Step::done);
  EXPECT_EQ(cut.trouble->said.size(), 300U);
  const std::string umlauts = "x" + [] {
    std::string all;
    for (int i = 0; i < 200; ++i) all += "\u00e4";
    return all;
  }();
  const auto whole = read_step(print_step({Step::done, {}, Trouble{Trouble::Kind::failed, umlauts, 0}}), Step::done);
  EXPECT_EQ(whole.trouble->said, umlauts.substr(0, 299)) << "no half of a character is sent";
}

}  // namespace
}  // namespace rdmastate::doctor
