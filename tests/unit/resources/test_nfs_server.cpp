// SPDX-License-Identifier: Apache-2.0
// The NFS server's unit and its listeners: what is added while it runs, what waits for a restart, and who is named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "resources/nfs_listener.hpp"
#include "resources/unit/unit.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

const std::string unit = "nfs-server.service";

std::string server(const std::string& more) { return "version: 1\nnfs: {server: {" + more + "}}\n"; }

HostModel with_server(bool serving) {
  HostPart part;
  part.nfs = true;
  part.serving = serving;
  return part.model();
}

std::vector<std::string> listeners_of(const RecordedHost& host) {
  std::vector<std::string> listeners;
  for (const auto& one : host.model().nfsd->state.listeners) listeners.push_back(listener_text(one));
  return listeners;
}

using Texts = std::vector<std::string>;

TEST(NfsListener, IsAddedWhileTheServerRuns) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, server("")).code, ExitCode::done);
  EXPECT_EQ(listeners_of(host), (Texts{"tcp 2049", "rdma 20049"}));
  EXPECT_EQ(count_calls(host, "restarting " + unit), 0U);
  EXPECT_FALSE(host.model().nfsd->clients.empty()) << "nobody was disturbed";
  EXPECT_TRUE(plan_spec(host, server("")).is_empty());
}

TEST(NfsListener, WaitsForAServerThatDoesNotRun) {
  RecordedHost host(with_server(false));
  const Plan plan = plan_spec(host, server(""));
  const Item* item = find_item(plan, nfs_listener_kind, "rdma 20049");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->gap.pending.until, Until::unit);
  EXPECT_EQ(item->gap.pending.sentence,
            "no NFS server runs here: it listens there from the start of nfs-server.service on");
}

TEST(NfsListener, ComesWithTheServerThatIsStarted) {
  RecordedHost host(with_server(false));
  EXPECT_EQ(find_item(plan_spec(host, server("run: true")), nfs_listener_kind, "rdma 20049")->gap.after,
            "unit " + unit);
  ASSERT_EQ(apply_spec(host, server("run: true")).code, ExitCode::done);
  EXPECT_EQ(listeners_of(host), (Texts{"tcp 2049", "rdma 20049"}));
  EXPECT_EQ(count_calls(host, "adding the listener rdma 20049 to the NFS server"), 0U);
  const Plan plan = plan_spec(host, server("run: true"));
  EXPECT_TRUE(plan.is_empty() && !plan.has_more_rounds());
}

// The old one is not taken away behind its clients' backs.
TEST(NfsListener, OfAnotherPortIsAddedAndTheOldOneWaitsForARestart) {
  HostModel model = with_server(true);
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, server("")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, server("rdma_port: 20050")).code, ExitCode::done);
  EXPECT_EQ(listeners_of(host), (Texts{"tcp 2049", "rdma 20049", "rdma 20050"}));
  const Plan plan = plan_spec(host, server("rdma_port: 20050"));
  const Item* old = find_item(plan, nfs_listener_kind, "rdma 20049");
  ASSERT_NE(old, nullptr);
  EXPECT_FALSE(old->has_step());
  EXPECT_EQ(old->gap.pending.sentence,
            "the server listens there until nfs-server.service restarts: this run may disrupt at most: link; --restart "
            "nfs-server.service does it now");
}

TEST(NfsListener, GoesByARestartBehindTheFileThatNamesIt) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, server("")).code, ExitCode::done);
  const Plan plan = plan_spec(host, server("rdma_port: 20050"), restarting(unit));
  const Item* old = find_item(plan, nfs_listener_kind, "rdma 20049");
  ASSERT_TRUE(old->has_step());
  EXPECT_EQ(old->disruption, Disruption::service);
  EXPECT_EQ(
      fmt::format("{}", fmt::join(old->touches, "; ")),
      "service nfs-server.service; NFS client 198.51.100.7:722 (Linux NFSv4.2 node2); NFS clients wait up to 90 s "
      "after the start (grace period of NFS 4)");
  ASSERT_EQ(apply_spec(host, server("rdma_port: 20050"), restarting(unit)).code, ExitCode::done);
  EXPECT_EQ(listeners_of(host), (Texts{"tcp 2049", "rdma 20050"}));
  EXPECT_EQ(count_calls(host, "restarting " + unit), 1U);
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(listeners_of(host), (Texts{"tcp 2049", "rdma 20049"})) << "the restart of the way back reads the old file";
  EXPECT_EQ(count_calls(host, "restarting " + unit), 2U) << "one each way";
}

// With nfs-utils 1.3 the drop-in of the unit names it.
TEST(NfsListener, GoesByARestartWithTheFilesThatSystemdHasRead) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, server("")).code, ExitCode::done);
  HostModel changed = host.model();
  changed.systemd->units.at(unit).needs_reload = true;
  RecordedHost other(changed);
  ASSERT_EQ(apply_spec(other, server("rdma_port: 20050"), restarting(unit)).code, ExitCode::done);
  EXPECT_EQ(count_calls(other, "making systemd read its files again"), 1U);
}

TEST(NfsListener, OfOthersStays) {
  HostModel model = with_server(true);
  model.nfsd->state.listeners.push_back({"rdma", 20051});
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, server("")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, "version: 1\n", restarting(unit)).code, ExitCode::done);
  EXPECT_EQ(find_item(plan_spec(host, server("")), nfs_listener_kind, "rdma 20051"), nullptr);
}

TEST(Unit, IsEnabledAndStartedOnce) {
  RecordedHost host(with_server(false));
  ASSERT_EQ(apply_spec(host, server("run: true")).code, ExitCode::done);
  const std::string link = "/etc/systemd/system/multi-user.target.wants/" + unit;
  EXPECT_EQ(host.model().files.at(link).bytes, "/usr/lib/systemd/system/" + unit);
  EXPECT_TRUE(host.model().systemd->units.contains(unit));
  EXPECT_EQ(count_calls(host, "starting " + unit), 1U);
}

TEST(Unit, ThatSomebodyElseEnabledKeepsItsLink) {
  HostModel model = with_server(false);
  const std::string link = "/etc/systemd/system/multi-user.target.wants/" + unit;
  model.files[link] = {{FileType::symlink, 0777, 0, 0}, "/lib/systemd/system/" + unit, {}};
  add_parents(model.files);
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, server("run: true")).code, ExitCode::done);
  EXPECT_EQ(host.model().files.at(link).bytes, "/lib/systemd/system/" + unit);
  ASSERT_EQ(apply_spec(host, "version: 1\n", restarting(unit)).code, ExitCode::done);
  EXPECT_TRUE(host.model().files.contains(link)) << "what was there is only let go";
  EXPECT_TRUE(host.model().systemd->units.contains(unit));
}

TEST(Unit, ThatWeMadeRunsUntilItMayBeStopped) {
  RecordedHost host(with_server(false));
  ASSERT_EQ(apply_spec(host, server("run: true")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  EXPECT_TRUE(host.model().systemd->units.contains(unit)) << "its clients are not asked";
  EXPECT_FALSE(host.model().files.contains("/etc/systemd/system/multi-user.target.wants/" + unit));
  EXPECT_EQ(plan_spec(host, "version: 1\n").count_pending(), 1U);
  ASSERT_EQ(apply_spec(host, "version: 1\n", restarting(unit)).code, ExitCode::done);
  EXPECT_FALSE(host.model().systemd->units.contains(unit));
}

TEST(Unit, ThatIsNotInstalledOrIsMaskedIsPending) {
  HostModel model = with_server(false);
  model.files.erase("/usr/lib/systemd/system/" + unit);
  RecordedHost without(model);
  const Plan plan = plan_spec(without, server("run: true"));
  EXPECT_EQ(find_item(plan, unit_kind, unit)->gap.pending.until, Until::package);
  model.files["/etc/systemd/system/" + unit] = {{FileType::symlink, 0777, 0, 0}, "/dev/null", {}};
  RecordedHost masked(std::move(model));
  const Plan other = plan_spec(masked, server("run: true"));
  EXPECT_EQ(find_item(other, unit_kind, unit)->gap.pending.sentence,
            "nfs-server.service is masked by /etc/systemd/system/nfs-server.service: remove that, as systemctl unmask "
            "does");
}

}  // namespace
}  // namespace rdmastate
