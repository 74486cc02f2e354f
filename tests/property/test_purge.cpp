// SPDX-License-Identifier: Apache-2.0
// What we did not make is never removed, unless the spec says `purge`: then the plan lists every victim.
#include <fmt/format.h>

#include "plan/print.hpp"
#include "resources/soft_device.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

// Children, a soft device and files that others made, beside what the spec wants.
HostModel crowded() {
  RecordedHost host(loaded_model());
  Host doors = host.host();
  const auto port = doors.links->find("ib2");
  doors.links->create({{}, port->index, "ib2.8005", {0x8005}});
  doors.links->create({{}, doors.links->find("ib0")->index, "theirs", {0x8006}});
  doors.modules->load({"rdma_rxe"});
  doors.rdma->add({SoftType::rxe, "enp1s0", "rxe9"});
  HostModel model = host.model();
  model.files["/etc/NetworkManager/system-connections/old.nmconnection"] = {
      {FileType::regular, 0600, 0, 0}, "[connection]\ntype=infiniband\ninterface-name=ib2.8005\n", {}};
  model.files["/etc/network/interfaces"] = {
      {FileType::regular, 0644, 0, 0}, "source /etc/network/interfaces.d/*\n", {}};
  add_parents(model.files);
  return model;
}

std::string spec_on(const std::string& backend, const std::string& purge) {
  return "version: 1\nnetwork: {backend: " + backend + "}\n" + purge +
         "ipoib:\n  - {name: ib2, mode: datagram}\n  - {parent: ib2, pkey: 0x8002}\n";
}

std::set<std::string> purged(const Plan& plan) {
  std::set<std::string> keys;
  for (const std::size_t step : plan.steps)
    if (plan.items[step].cause == Cause::purged) keys.insert(plan.items[step].key);
  return keys;
}

class Purge : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Purged, Purge, testing::ValuesIn(every_back_end()), [](const auto& one) { return one.param; });

TEST_P(Purge, NothingOfOthersGoesUnasked) {
  RecordedHost host(crowded());
  EXPECT_EQ(purged(plan_spec(host, spec_on(GetParam(), ""))), std::set<std::string>());
}

TEST_P(Purge, EveryVictimIsListedAndGoesAndComesBack) {
  const std::string spec = spec_on(GetParam(), "purge: [ipoib, soft_devices]\n");
  RecordedHost host(crowded());
  const std::string before = seen(host);
  const Plan plan = plan_spec(host, spec);
  EXPECT_EQ(purged(plan),
            (std::set<std::string>{"port f452:1403:007b:cba1 pkey 0x8005", "port 0002:c903:0031:78f1 pkey 0x8006",
                                   "rxe enp1s0", "/etc/NetworkManager/system-connections/old.nmconnection"}))
      << plan_text(plan, Paint(false));
  const Outcome outcome = apply_spec(host, spec);
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  Host doors = host.host();
  EXPECT_FALSE(doors.links->find("ib2.8005"));
  EXPECT_FALSE(doors.links->find("theirs"));
  EXPECT_TRUE(plan_spec(host, spec).is_empty());
  const Outcome back = rollback(doors, false, deaf());
  EXPECT_EQ(back.code, ExitCode::done) << back.message;
  EXPECT_EQ(seen(host), before);
}

TEST(Purging, IsOfItsDomainAlone) {
  RecordedHost host(crowded());
  EXPECT_EQ(purged(plan_spec(host, spec_on("none", "purge: [soft_devices]\n"))), std::set<std::string>{"rxe enp1s0"});
}

TEST(Purging, IsGuardedLikeAnyRemoval) {
  HostModel model = crowded();
  model.users["rxe9"].push_back({RdmaUser::What::queue_pair, 812, "rping"});
  RecordedHost host(model);
  const Outcome outcome = apply_spec(host, spec_on("none", "purge: [soft_devices]\n"));
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("rping"), std::string::npos) << outcome.message;
}

const std::string manager =
    "subnet_manager:\n  run: true\n  instances: [{port_guid: \"f452:1403:007b:cba1\"}]\n"
    "  partitions: [{name: storage, pkey: 0x8002, members: {ALL: full}}]\n";

TEST(Purging, PartitionsOfOthersAreLostByItAlone) {
  HostModel model = loaded_model();
  model.files["/etc/opensm/partitions.conf"] = {
      {FileType::regular, 0644, 0, 0},
      "Default=0x7fff,ipoib:ALL=full,SELF=full;\nother=0x0007:ALL=full;\nstorage=0x0002:ALL=full;\n",
      {}};
  add_parents(model.files);
  PlanOptions options;
  options.adopt = true;
  options.allow_fabric = true;
  RecordedHost host(model);
  const Outcome kept = apply_spec(host, "version: 1\n" + manager, options);
  EXPECT_EQ(kept.code, ExitCode::refused);
  EXPECT_NE(kept.message.find("partition other (0x8007) is in it and not in this spec"), std::string::npos)
      << kept.message;
  const Outcome gone = apply_spec(host, "version: 1\npurge: [partitions]\n" + manager, options);
  EXPECT_EQ(gone.code, ExitCode::done) << gone.message;
}

}  // namespace
}  // namespace rdmastate
