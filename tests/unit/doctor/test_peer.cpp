// SPDX-License-Identifier: Apache-2.0
// Ports of two hosts: which are tried with which, in what they differ, and what a peer that breaks off does.
#include "base/error.hpp"
#include "doctor/pairing.hpp"
#include "fake_fabric.hpp"

namespace rdmastate::doctor {
namespace {

using Step = StepWord::Step;

RcGid gid(unsigned index, const std::string& address, RoceMode type = RoceMode::v2) {
  RcGid made{index, {}, type};
  EXPECT_FALSE(Text<IpAddress>::read({address, false}, made.address));
  return made;
}

RcPort infiniband(const std::string& device, std::uint32_t lid, std::vector<std::uint16_t> pkeys = {0xffff}) {
  return {device, 1, LinkLayer::infiniband, lid, 4096, std::move(pkeys), {}};
}

RcPort roce(const std::string& device, std::vector<RcGid> gids) {
  return {device, 1, LinkLayer::ethernet, 0, 4096, {0xffff}, std::move(gids)};
}

Greeting greeting(std::vector<RcPort> ports) { return {std::chrono::milliseconds(5000), std::move(ports)}; }

std::vector<std::pair<std::size_t, std::size_t>> places(const std::vector<PortPair>& pairs) {
  std::vector<std::pair<std::size_t, std::size_t>> all;
  for (const auto& pair : pairs) all.emplace_back(pair.connector, pair.listener);
  return all;
}
using Places = std::vector<std::pair<std::size_t, std::size_t>>;

TEST(DoctorPairs, EveryPortOfBothHasOne) {
  const Greeting two = greeting({infiniband("a", 1), infiniband("b", 2)});
  const Greeting three = greeting({infiniband("c", 3), infiniband("d", 4), infiniband("e", 5)});
  EXPECT_EQ(places(pairs_of(two, three)), (Places{{0, 0}, {1, 1}, {0, 2}}));
  EXPECT_EQ(places(pairs_of(three, two)), (Places{{0, 0}, {1, 1}, {2, 0}}));
  EXPECT_TRUE(pairs_of(two, greeting({})).empty());
}

TEST(DoctorPairs, LinkLayersAndSubnetsAreNotMixed) {
  RcPort other = infiniband("b", 2);
  other.gids = {gid(0, "fec0::1")};
  RcPort usual = infiniband("a", 1);
  usual.gids = {gid(0, "fe80::1")};
  EXPECT_TRUE(pairs_of(greeting({usual}), greeting({other})).empty());
  EXPECT_TRUE(pairs_of(greeting({usual}), greeting({roce("r", {gid(0, "192.0.2.1")})})).empty());
  RcPort far = infiniband("c", 3);
  far.gids = {gid(0, "fe80::2")};
  EXPECT_EQ(places(pairs_of(greeting({usual}), greeting({other, far}))), (Places{{0, 1}}));
}

TEST(DoctorPairs, TheNearestNetworkIsChosen) {
  const Greeting here = greeting({roce("a", {gid(3, "192.0.2.1")}), roce("b", {gid(3, "198.51.100.1")})});
  const Greeting there = greeting({roce("c", {gid(3, "198.51.100.2")}), roce("d", {gid(3, "192.0.2.2")})});
  EXPECT_EQ(places(pairs_of(here, there)), (Places{{0, 1}, {1, 0}}));
}

// Two processes on one host: a port that is tried with itself shows nothing of the way between two.
TEST(DoctorPairs, APortIsItsOwnCounterpartOnlyWhereThereIsNoOther) {
  const RcPort one = roce("a", {gid(1, "192.0.2.1")});
  const RcPort other = roce("b", {gid(1, "192.0.2.2")});
  EXPECT_EQ(places(pairs_of(greeting({one, other}), greeting({one, other}))), (Places{{0, 1}, {1, 0}}));
  EXPECT_EQ(places(pairs_of(greeting({one}), greeting({one}))), (Places{{0, 0}}));
}

TEST(DoctorPairs, GidsAreOfOneVersionAndReach) {
  const RcPort both =
      roce("a", {gid(3, "192.0.2.1"), gid(5, "2001:db8::1"), gid(1, "fe80::1"), gid(2, "192.0.2.1", RoceMode::v1)});
  const auto with = [&](std::vector<RcGid> gids) { return common_gids(both, roce("b", std::move(gids))); };
  EXPECT_EQ(with({gid(1, "fe80::2"), gid(7, "192.0.2.2")}), (GidPair{gid(3, "192.0.2.1"), gid(7, "192.0.2.2")}));
  EXPECT_EQ(with({gid(1, "fe80::2"), gid(7, "2001:db8::2")}), (GidPair{gid(5, "2001:db8::1"), gid(7, "2001:db8::2")}));
  EXPECT_EQ(with({gid(1, "fe80::2")}), (GidPair{gid(1, "fe80::1"), gid(1, "fe80::2")}));
  EXPECT_EQ(with({gid(0, "192.0.2.2", RoceMode::v1)})->one.index, 2U);
  EXPECT_FALSE(with({gid(0, "fe80::2", RoceMode::v1)}));
  const RcPort v1 = roce("b", {gid(0, "fe80::2", RoceMode::v1)});
  const RcPort v2 = roce("c", {gid(1, "fe80::3"), gid(3, "192.0.2.3")});
  EXPECT_EQ(pairs_of(greeting({v1}), greeting({v2}))[0].obstacle, PortPair::Obstacle::roce);
  EXPECT_EQ(
      pairs_of(greeting({roce("d", {gid(1, "fe80::4")})}), greeting({roce("e", {gid(3, "192.0.2.3")})}))[0].obstacle,
      PortPair::Obstacle::reach);
}

TEST(DoctorPairs, TwoLimitedMembersCannotTalk) {
  using Keys = std::pair<std::uint16_t, std::uint16_t>;
  const auto keys = [](std::vector<std::uint16_t> one, std::vector<std::uint16_t> other) {
    return common_pkeys(infiniband("a", 1, std::move(one)), infiniband("b", 2, std::move(other)));
  };
  EXPECT_EQ(keys({0x8002, 0xffff}, {0xffff, 0x8002}), (Keys{0xffff, 0xffff}));
  EXPECT_EQ(keys({0x7fff}, {0xffff}), (Keys{0x7fff, 0xffff}));
  EXPECT_EQ(keys({0x7fff, 0x8002}, {0x7fff, 0x0002}), (Keys{0x8002, 0x0002}));
  EXPECT_FALSE(keys({0x7fff, 0x0002}, {0x7fff, 0x0002}));
  EXPECT_FALSE(keys({0x8001}, {0x8002}));
  EXPECT_EQ(pairs_of(greeting({infiniband("a", 1, {0x8001})}), greeting({infiniband("b", 2, {0x8002})}))[0].obstacle,
            PortPair::Obstacle::partition);
}

// --- with a peer; this host is storage.json: mlx5_0/1 with LID 5 and the P_Keys 0xffff, 0x8002, 0x8003.

std::deque<std::string> lines(const RcPort& theirs, std::optional<Trouble> at_end = {}) {
  return {print_greeting(greeting({theirs})), print_step({Step::made, {1000, 17}, {}}),
          print_step({Step::connected, {}, {}}), print_step({Step::done, {}, at_end})};
}

std::vector<std::string> ids(const Diagnosis& diagnosis) {
  std::vector<std::string> all;
  for (const auto& one : diagnosis.findings) {
    all.push_back(rdmastate::to_text(one.severity) + " " + one.id + " " + one.subject.name);
    EXPECT_FALSE(one.symptom.empty() || one.cause.empty() || one.fix.empty() || one.evidence.empty()) << one;
  }
  return all;
}
using Ids = std::vector<std::string>;

TEST(DoctorPeer, AllIsWellAsConnector) {
  Bench bench(example("storage"));
  FakePeer peer(lines(infiniband("mlx5_3", 9)));
  const Diagnosis found = bench.with(peer, Side::connector);
  EXPECT_EQ(ids(found), Ids{"info rc-tried mlx5_0/1"});
  EXPECT_NE(found.findings[0].symptom.find("mlx5_3/1 of 192.0.2.2"), std::string::npos) << found.findings[0];
  ASSERT_EQ(bench.fabric.ways.size(), 1U);
  EXPECT_EQ(bench.fabric.ways[0].lid, 9U);
  EXPECT_EQ(bench.fabric.ways[0].far, (QueuePairEnd{1000, 17}));
  ASSERT_EQ(peer.said.size(), 4U);
  EXPECT_EQ(read_greeting(peer.said[0]).ports[0].lid, 5U);
  EXPECT_EQ(read_step(peer.said[1], Step::made).end, (QueuePairEnd{1, 8}));
  EXPECT_EQ(bench.fabric.alive, 0U);
}

TEST(DoctorPeer, AllIsWellAsListener) {
  Bench bench(example("storage"));
  bench.fabric.speaks_first = true;
  FakePeer peer(lines(infiniband("mlx5_3", 9)));
  EXPECT_EQ(ids(bench.with(peer, Side::listener)), Ids{"info rc-tried mlx5_0/1"});
}

TEST(DoctorPeer, WhatGetsLostIsFoundOnBothSides) {
  Bench bench(example("storage"));
  bench.fabric.lost_from = 4096;
  FakePeer as_connector(lines(infiniband("mlx5_3", 9)));
  EXPECT_EQ(ids(bench.with(as_connector, Side::connector)), Ids{"error rc-large-lost mlx5_0/1"});
  EXPECT_EQ(read_step(as_connector.said[3], Step::done).trouble->kind, Trouble::Kind::large_lost);
  bench.fabric.speaks_first = true;
  FakePeer as_listener(lines(infiniband("mlx5_3", 9)));
  EXPECT_EQ(ids(bench.with(as_listener, Side::listener)), Ids{"error rc-large-lost mlx5_0/1"});
}

TEST(DoctorPeer, WhatThePeerMeetsIsTold) {
  Bench bench(example("storage"));
  FakePeer peer(lines(infiniband("mlx5_3", 9), Trouble{Trouble::Kind::no_answer, "nothing came\x1b[31m", 0}));
  const Diagnosis found = bench.with(peer, Side::connector);
  EXPECT_EQ(ids(found), Ids{"error rc-no-answer mlx5_0/1"});
  EXPECT_EQ(found.findings[0].evidence.back().where, "said by the peer");
  FakePeer refuses({print_greeting(greeting({infiniband("mlx5_3", 9)})),
                    print_step({Step::made, {}, Trouble{Trouble::Kind::setup, "no memory (ENOMEM)", ENOMEM}})});
  const Diagnosis refused = bench.with(refuses, Side::connector);
  EXPECT_EQ(ids(refused), Ids{"error rc-setup mlx5_0/1"});
  EXPECT_TRUE(refused.findings[0].symptom.starts_with("192.0.2.2 says of its mlx5_3/1: ")) << refused.findings[0];
  EXPECT_TRUE(refused.findings[0].fix.starts_with("On 192.0.2.2: ")) << refused.findings[0].fix;
  EXPECT_EQ(bench.fabric.ways.size(), 1U) << "it was connected although the peer had no queue pair";
}

TEST(DoctorPeer, TheSmallerMtuIsTried) {
  Bench bench(example("storage"));
  RcPort smaller = infiniband("mlx5_3", 9);
  smaller.mtu = 2048;
  FakePeer mtu(lines(smaller));
  bench.with(mtu, Side::connector);
  EXPECT_EQ(bench.fabric.ways.back().mtu, 2048U);
  FakePeer nothing({print_greeting(greeting({}))});
  EXPECT_EQ(ids(bench.with(nothing, Side::listener)), Ids{"error rc-nothing-to-try "});
}

TEST(DoctorPeer, RoceVersionsAndOtherPortsAreFound) {
  Bench bench(roce_host());
  bench.wish.devices = {"mlx5_0", "mlx5_8"};
  FakePeer version({print_greeting(greeting({roce("x", {gid(0, "192.0.2.9", RoceMode::v1)})})),
                    print_step({Step::made, {1000, 17}, {}}), print_step({Step::connected, {}, {}}),
                    print_step({Step::done, {}, {}})});
  EXPECT_EQ(ids(bench.with(version, Side::connector)),
            (Ids{"info peer-no-counterpart mlx5_0/1", "info rc-tried mlx5_8/1"}));
  EXPECT_EQ(bench.fabric.made.back().gid_index, 2U) << "the GID of RoCE v1";
}

TEST(DoctorPeer, WhoHasNothingToTryTellsThePeerToo) {
  Bench bench(example("ci"));
  FakePeer peer({print_greeting(greeting({infiniband("mlx5_3", 9)}))});
  EXPECT_EQ(ids(bench.with(peer, Side::listener)), Ids{"error rc-nothing-to-try "});
  EXPECT_TRUE(read_greeting(peer.said.at(0)).ports.empty());
}

TEST(DoctorPeer, ThatIsSlowKeepsNobodyForHours) {
  Bench bench(example("storage"));
  Host host = bench.recorded.host();
  Greeting many = greeting(std::vector<RcPort>(most_ports, infiniband("mlx5_3", 9)));
  many.patience = std::chrono::milliseconds(60000);
  std::deque<std::string> answers{print_greeting(many)};
  const Trouble trouble{Trouble::Kind::setup, "no memory", ENOMEM};
  for (std::size_t at = 0; at < most_ports; ++at) answers.push_back(print_step({Step::made, {}, trouble}));
  FakePeer peer(answers);
  peer.clock = &host.clock;
  const auto start = host.clock.ticks();
  const Diagnosis found = bench.with(peer, Side::listener);
  EXPECT_EQ(found.findings.back().id, "rc-setup") << "what was found before is lost";
  EXPECT_TRUE(std::any_of(found.findings.begin(), found.findings.end(),
                          [](const Finding& one) { return one.id == "peer-broke-off"; }));
  EXPECT_LT(host.clock.ticks() - start, std::chrono::minutes(32));
}

TEST(DoctorPeer, ThatBreaksOffOrSaysSomethingElseIsFound) {
  for (auto said : {std::deque<std::string>{},
                    {"GET / HTTP/1.1"},
                    {print_greeting(greeting({infiniband("m", 9)}))},
                    {print_greeting(greeting({infiniband("m", 9)})), R"({"step":"done"})"}}) {
    Bench bench(example("storage"));
    FakePeer peer(said);
    const Diagnosis found = bench.with(peer, Side::connector);
    EXPECT_EQ(ids(found), Ids{"error peer-broke-off "});
    ASSERT_EQ(found.unlooked.size(), 1U);
    EXPECT_EQ(found.unlooked[0].where, "mlx5_0/1");
    EXPECT_EQ(bench.fabric.alive, 0U);
  }
}

// Two ports are found to differ, and then the peer is gone.
TEST(DoctorPeer, ThatBreaksOffLeavesWhatWasFoundBefore) {
  Bench bench(example("storage"));
  RcPort smaller = infiniband("mlx5_3", 9);
  smaller.mtu = 2048;
  FakePeer peer({print_greeting(greeting({smaller}))});
  const Diagnosis found = bench.with(peer, Side::connector);
  EXPECT_EQ(ids(found), (Ids{"error peer-broke-off ", "warning peer-mtu-differs mlx5_0/1"}));
  EXPECT_EQ(bench.fabric.alive, 0U);
}

// What both sides could not do is told of both.
TEST(DoctorPeer, SetupsThatFailOnBothSidesAreTwoFindings) {
  Bench bench(example("storage"));
  bench.fabric.refuses_make = EACCES;
  FakePeer peer({print_greeting(greeting({infiniband("mlx5_3", 9)})),
                 print_step({Step::made, {}, Trouble{Trouble::Kind::setup, "no memory (ENOMEM)", ENOMEM}})});
  EXPECT_EQ(ids(bench.with(peer, Side::connector)), (Ids{"error rc-setup mlx5_0/1", "error rc-setup mlx5_0/1"}));
}

// What a peer says, and what is found of the first port of a host then.
struct Meeting {
  HostModel host;
  std::deque<std::string> said;
  Ids found;
};

HostModel with_v2_alone() {
  HostModel model = roce_host();
  model.devices = {model.devices.at(8)};
  for (const char* index : {"0", "2"})
    put(model, std::string("/sys/class/infiniband/mlx5_8/ports/1/gid_attrs/types/") + index, "RoCE v2\n");
  return model;
}

std::vector<Meeting> meetings() {
  RcPort smaller = infiniband("mlx5_3", 9);
  smaller.mtu = 2048;
  const RcPort v1 = roce("x", {gid(0, "192.0.2.9", RoceMode::v1)});
  return {{example("storage"), lines(infiniband("mlx5_3", 9)), {"info rc-tried mlx5_0/1"}},
          {example("storage"), lines(smaller), {"warning peer-mtu-differs mlx5_0/1", "info rc-tried mlx5_0/1"}},
          {example("storage"), lines(infiniband("mlx5_3", 9, {0x8010})), {"error peer-partition-differs mlx5_0/1"}},
          {example("storage"), lines(roce("x", {gid(3, "192.0.2.2")})), {"error peer-no-counterpart mlx5_0/1"}},
          {example("storage"), {"GET / HTTP/1.1"}, {"error peer-broke-off "}},
          {with_v2_alone(), lines(v1), {"error peer-roce-differs mlx5_8/1"}}};
}

Diagnosis diagnosis_of(const Meeting& meeting) {
  Bench bench(meeting.host);
  FakePeer peer(meeting.said);
  return bench.with(peer, Side::connector);
}

TEST(DoctorPeer, EachDifferenceIsFoundAndNothingElse) {
  for (const auto& meeting : meetings()) EXPECT_EQ(ids(diagnosis_of(meeting)), meeting.found);
}

}  // namespace

std::vector<Diagnosis> peer_looks() {
  std::vector<Diagnosis> looks;
  for (const auto& meeting : meetings()) looks.push_back(diagnosis_of(meeting));
  return looks;
}

}  // namespace rdmastate::doctor
