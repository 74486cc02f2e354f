// SPDX-License-Identifier: Apache-2.0
// Messages between two queue pairs of one port: what is found when each thing that can fail fails, and nothing where
// all is well.
#include "base/error.hpp"
#include "fake_fabric.hpp"

namespace rdmastate::doctor {
namespace {

// The one finding; its id, severity and subject, as "error rc-setup mlx5_0/1".
std::string only(const Diagnosis& diagnosis) {
  if (diagnosis.findings.size() != 1U) return testing::PrintToString(diagnosis.findings);
  const Finding& one = diagnosis.findings.front();
  EXPECT_FALSE(one.symptom.empty() || one.cause.empty() || one.fix.empty() || one.evidence.empty()) << one;
  return rdmastate::to_text(one.severity) + " " + one.id + " " + one.subject.name;
}

TEST(DoctorActive, AllIsWell) {
  Bench bench(example("storage"));
  const Diagnosis found = bench.alone();
  EXPECT_EQ(only(found), "info rc-tried mlx5_0/1");
  EXPECT_NE(found.findings[0].symptom.find("4 messages (32896 bytes)"), std::string::npos) << found.findings[0];
  EXPECT_TRUE(found.unlooked.empty());
  EXPECT_EQ(found.looked, (std::set<std::string_view>{"rc-tried", "rc-nothing-to-try", "rc-setup", "rc-no-answer",
                                                      "rc-large-lost", "rc-failed", "rc-bytes-differ"}))
      << "and none that compares with a peer";
  EXPECT_EQ(bench.fabric.alive, 0U) << "a queue pair is left";
}

TEST(DoctorActive, InfiniBandGoesByLid) {
  Bench bench(example("storage"));
  bench.alone();
  ASSERT_EQ(bench.fabric.ways.size(), 2U);
  for (const auto& way : bench.fabric.ways) {
    EXPECT_EQ(way.lid, 5U);
    EXPECT_FALSE(way.gid);
    EXPECT_EQ(way.mtu, 4096U);
  }
  EXPECT_EQ(bench.fabric.ways[0].far, (QueuePairEnd{2, 9}));
  EXPECT_EQ(bench.fabric.ways[1].far, (QueuePairEnd{1, 8}));
  EXPECT_EQ(bench.fabric.made[0].pkey, 0xffff);
  EXPECT_FALSE(bench.fabric.made[0].gid_index);
}

TEST(DoctorActive, ALongLidOfOmniPathIsNotTried) {
  HostModel model = example("storage");
  for (auto& device : model.devices)
    for (auto& one : device.ports) one.lid = 0x10005;
  Bench bench(std::move(model));
  const Diagnosis found = bench.alone();
  EXPECT_TRUE(bench.fabric.ways.empty()) << "a way would name LID 5";
  ASSERT_FALSE(found.unlooked.empty());
  EXPECT_NE(found.unlooked[0].reason.find("LID 65541 has more than the 16 bits"), std::string::npos)
      << found.unlooked[0].reason;
}

TEST(DoctorActive, RoceGoesByTheBestGid) {
  Bench bench(roce_host());
  bench.wish.devices = {"mlx5_8/1"};
  EXPECT_EQ(only(bench.alone()), "info rc-tried mlx5_8/1");
  EXPECT_EQ(bench.fabric.made[0].gid_index, 3U);
  ASSERT_TRUE(bench.fabric.ways[0].gid);
  EXPECT_EQ(to_text(*bench.fabric.ways[0].gid), "::ffff:192.0.2.1");
  EXPECT_EQ(bench.fabric.ways[0].lid, 0U);
}

TEST(DoctorActive, EachDeviceIsTriedOnce) {
  Bench bench(roce_host());
  const Diagnosis found = bench.alone();
  EXPECT_EQ(found.findings.size(), 10U) << testing::PrintToString(found.findings);
  EXPECT_EQ(found.count(Severity::info), 10U);
}

struct Failure {
  const char* what;
  void (*breaks)(FakeFabric&);
  const char* id;
  const char* said;
};

void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.what; }

class DoctorActiveFinds : public testing::TestWithParam<Failure> {};

TEST_P(DoctorActiveFinds, ThisAndNothingElse) {
  Bench bench(example("storage"));
  GetParam().breaks(bench.fabric);
  const Diagnosis found = bench.alone();
  EXPECT_EQ(only(found), std::string("error ") + GetParam().id + " mlx5_0/1");
  std::string all = found.findings[0].symptom + found.findings[0].cause + found.findings[0].fix;
  for (const auto& one : found.findings[0].evidence) all += "; " + one.where + ": " + one.value;
  EXPECT_NE(all.find(GetParam().said), std::string::npos) << all;
  EXPECT_EQ(bench.fabric.alive, 0U) << "a queue pair is left";
}

const Failure failures[] = {
    {"denied", [](FakeFabric& fabric) { fabric.refuses_make = EACCES; }, "rc-setup", "Look as root"},
    {"memory", [](FakeFabric& fabric) { fabric.refuses_make = ENOMEM; }, "rc-setup", "memlock: {"},
    {"unsupported", [](FakeFabric& fabric) { fabric.refuses_make = EOPNOTSUPP; }, "rc-setup",
     "(ibv_create_cq): Operation not supported (EOPNOTSUPP)"},
    {"connect", [](FakeFabric& fabric) { fabric.refuses_connect = EINVAL; }, "rc-setup", "Invalid argument (EINVAL)"},
    {"lost", [](FakeFabric& fabric) { fabric.lost_from = 0; }, "rc-no-answer", "transport retry counter exceeded"},
    {"silent", [](FakeFabric& fabric) { fabric.silent = true; }, "rc-no-answer", "did not end in time"},
    {"large", [](FakeFabric& fabric) { fabric.lost_from = 4096; }, "rc-large-lost", "packets of 4096 bytes"},
    {"not_ready", [](FakeFabric& fabric) { fabric.not_ready = true; }, "rc-failed", "RNR retry counter exceeded"},
    {"bytes", [](FakeFabric& fabric) { fabric.broken_bytes = true; }, "rc-bytes-differ", "64 bytes were sent"},
};
INSTANTIATE_TEST_SUITE_P(Checks, DoctorActiveFinds, testing::ValuesIn(failures),
                         [](const auto& one) { return one.param.what; });

TEST(DoctorActive, WaitsNoLongerThanItMay) {
  Bench bench(example("storage"));
  bench.fabric.silent = true;
  bench.wish.patience = std::chrono::milliseconds(700);
  Host host = bench.recorded.host();
  const auto start = host.clock.ticks();
  bench.alone();
  const auto took = host.clock.ticks() - start;
  EXPECT_GE(took.count(), 700);
  EXPECT_LE(took.count(), 702);
}

TEST(DoctorActive, AnUnresolvedAddressIsNamedOnRoce) {
  Bench bench(roce_host());
  bench.wish.devices = {"mlx5_9"};
  bench.fabric.refuses_connect = EHOSTUNREACH;
  const Diagnosis found = bench.alone();
  EXPECT_EQ(only(found), "error rc-setup mlx5_9/1");
  EXPECT_EQ(found.findings[0].cause, "The far end's Ethernet address was not found: nobody answers for its address.");
}

// What was tried of nothing is no success.
TEST(DoctorActive, NothingToTryIsAnError) {
  EXPECT_EQ(only(Bench(example("ci")).alone()), "error rc-nothing-to-try ");
  HostModel down = example("storage");
  port(down).state = 1;
  const Diagnosis found = Bench(down).alone();
  EXPECT_EQ(only(found), "error rc-nothing-to-try ");
  ASSERT_EQ(found.unlooked.size(), 1U);
  EXPECT_EQ(found.unlooked[0], (Unlooked{"rc-tried", "mlx5_0/1", "not tried: the port is not ACTIVE"}));
}

TEST(DoctorActive, WhatIsNotTriedIsSaid) {
  const auto reason = [](HostModel model, void (*change)(FakeFabric&) = nullptr) {
    Bench bench(std::move(model));
    if (change != nullptr) change(bench.fabric);
    const Diagnosis found = bench.alone();
    EXPECT_EQ(only(found), "error rc-nothing-to-try ");
    return found.unlooked.size() == 1U ? found.unlooked[0].reason : "";
  };
  HostModel iwarp = example("storage");
  put(iwarp, "/sys/class/infiniband/mlx5_0/node_type", "4: RNIC\n");
  add_parents(iwarp.files);
  EXPECT_NE(reason(iwarp).find("librdmacm"), std::string::npos);
  HostModel limited = example("storage");
  port(limited).pkeys = {0x7fff, 0x0002};
  EXPECT_NE(reason(limited).find("two limited members cannot talk"), std::string::npos);
  HostModel without_partition = example("storage");
  port(without_partition).pkeys.clear();
  EXPECT_EQ(reason(without_partition), "not tried: the port has no P_Key");
  EXPECT_EQ(reason(example("storage"), [](FakeFabric& fabric) { fabric.no_library = "the library is not there"; }),
            "not tried: the library is not there");
}

TEST(DoctorActive, ARocePortWithoutGidIsNotTried) {
  HostModel model = roce_host();
  for (const char* index : {"0", "1", "2", "3"})
    model.files.erase("/sys/class/infiniband/mlx5_8/ports/1/gids/" + std::string(index));
  Bench bench(model);
  bench.wish.devices = {"mlx5_8"};
  const Diagnosis found = bench.alone();
  EXPECT_EQ(only(found), "error rc-nothing-to-try ");
  ASSERT_EQ(found.unlooked.size(), 1U);
  EXPECT_EQ(found.unlooked[0], (Unlooked{"rc-tried", "mlx5_8/1", "not tried: the port has no GID"}));
  EXPECT_FALSE(found.looked.contains("rc-no-answer")) << "nothing was sent";
}

TEST(DoctorActive, ANameThatNothingHasIsRefused) {
  Bench bench(example("storage"));
  Host host = bench.recorded.host();
  const Snapshot snapshot(host);
  const Facts facts = read_facts(snapshot);
  must_have(facts, {"mlx5_0", "mlx5_0/1"});
  EXPECT_THROW(must_have(facts, {"mlx5_0/2"}), Error);
  EXPECT_THROW(must_have(facts, {"mlx5"}), Error);
}

}  // namespace

std::vector<Diagnosis> message_looks() {
  std::vector<Diagnosis> looks{Bench(example("storage")).alone(), Bench(example("ci")).alone()};
  for (const auto& failure : failures) {
    Bench bench(example("storage"));
    failure.breaks(bench.fabric);
    looks.push_back(bench.alone());
  }
  return looks;
}

}  // namespace rdmastate::doctor
