// SPDX-License-Identifier: Apache-2.0
// rdmastate-ready.target is reached when the interfaces are there, whoever makes them: verify --boot waits for those of
// other owners, and apply --boot moves none of them.
#include <cerrno>

#include "base/error.hpp"
#include "plan/verdict.hpp"
#include "sections/boot_file.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

constexpr const char* boot_file = "/etc/rdmastate/boot.json";

std::string spec_on(const std::string& backend) {
  return "version: 1\nnetwork: {backend: " + backend +
         "}\nmodules: {load: [ib_ipoib]}\nipoib:\n  - name: mlx4_ib0\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n"
         "    mode: datagram\n    mtu: 2044\n    ipv4: {method: manual, addresses: [192.0.2.1/24], gateway: 192.0.2.254}\n"
         "  - parent: mlx4_ib0\n    pkey: 0x8002\n    mode: datagram\n"
         "    ipv4: {method: manual, addresses: [198.51.100.1/24]}\n";
}

HostModel model_for_all() {
  HostModel model = loaded_model();
  FileContent interfaces;
  interfaces.meta.mode = 0644;
  interfaces.bytes = "source /etc/network/interfaces.d/*\n";
  model.files["/etc/network/interfaces"] = interfaces;
  add_parents(model.files);
  return model;
}

FileContent boot_file_of(const std::string& backend) {
  RecordedHost host(model_for_all());
  EXPECT_EQ(apply_spec(host, spec_on(backend)).code, ExitCode::done) << backend;
  return host.model().files.at(boot_file);
}

Plan boot_plan(RecordedHost& host) {
  Host doors = host.host();
  return plan_host(doors, boot_wish(doors));
}

class AwaitedAtBoot : public testing::TestWithParam<const char*> {};

TEST_P(AwaitedAtBoot, TheInterfacesAreVerifiedOnEveryBackEnd) {
  const FileContent file = boot_file_of(GetParam());
  HostModel before = model_for_all();
  before.files[boot_file] = file;
  add_parents(before.files);
  RecordedHost early(before);
  EXPECT_FALSE(judge(boot_plan(early)).in_sync()) << "nobody has made them yet";

  RecordedHost made(before);
  ASSERT_EQ(apply_spec(made, spec_on("none")).code, ExitCode::done);
  made.model().files[boot_file] = file;
  EXPECT_TRUE(judge(boot_plan(made)).in_sync());
  for (const char* address : {"192.0.2.1/24", "198.51.100.1/24"}) {
    HostModel without = made.model();
    std::erase_if(without.addresses, [&](const Address& one) { return to_text(one.value) == address; });
    RecordedHost lacking(without);
    EXPECT_FALSE(judge(boot_plan(lacking)).in_sync()) << address;
  }
}

TEST_P(AwaitedAtBoot, WhatOthersMakeIsNeverMoved) {
  const bool is_ours = std::string(GetParam()) == "none";
  HostModel before = model_for_all();
  before.files[boot_file] = boot_file_of(GetParam());
  add_parents(before.files);
  RecordedHost host(before);
  Host doors = host.host();
  const std::size_t moves = host.moves();
  const Outcome outcome = apply_boot(doors, deaf());
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_EQ(outcome.moved > 0, is_ours);
  EXPECT_EQ(host.moves() > moves, is_ours);
}

TEST_P(AwaitedAtBoot, OnlyWhatIsMadeNeedsTheUnit) {
  RecordedHost host(model_for_all());
  ASSERT_EQ(apply_spec(host, spec_on(GetParam())).code, ExitCode::done);
  const bool is_ours = std::string(GetParam()) == "none";
  const char* link = "/etc/systemd/system/multi-user.target.wants/rdmastate.service";
  EXPECT_EQ(host.model().files.contains(link), is_ours);
  for (const auto& one : desired_from_boot_file(host.model().files.at(boot_file).bytes).wanted)
    EXPECT_EQ(one.awaited_from.empty(), is_ours) << one.key;
}

// Its only step fails three times and is done in the last round: what is told is what is left after that.
TEST(ApplyBoot, TellsWhatIsLeftAfterTheLastRound) {
  const std::string spec =
      "version: 1\nnetwork: {backend: none}\nipoib:\n  - {name: mlx4_ib0, match: {port_guid: \"f452:1403:007b:cba1\"}}\n";
  RecordedHost made(loaded_model());
  ASSERT_EQ(apply_spec(made, spec).code, ExitCode::done);
  HostModel before = loaded_model();
  before.files[boot_file] = made.model().files.at(boot_file);
  add_parents(before.files);
  RecordedHost host(before);
  Host doors = host.host();
  int failures = 0;
  const Listener listener{[](const Plan&) {}, [](const std::string&) {},
                          [&](const std::string&) {
                            if (++failures < 3) host.fail_call(1, EIO, When::before);
                          }};
  host.fail_call(1, EIO, When::before);
  const Outcome outcome = apply_boot(doors, listener);
  EXPECT_EQ(failures, 3);
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_TRUE(outcome.last.is_empty());
}

INSTANTIATE_TEST_SUITE_P(BackEnds, AwaitedAtBoot, testing::ValuesIn(every_back_end()),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace rdmastate
