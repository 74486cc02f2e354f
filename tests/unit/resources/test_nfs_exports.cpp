// SPDX-License-Identifier: Apache-2.0
// The NFS server's threads and exports: what is moved while it runs, what waits for it, and what a reload takes away.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "base/error.hpp"
#include "resources/nfs_export/nfs_export.hpp"
#include "resources/nfs_threads.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

const std::string unit = "nfs-server.service";
const std::string key = "/nfs/projects 192.0.2.0/24";
const std::string own_file = "/etc/exports.d/rdmastate.exports";

std::string server(const std::string& more) { return "version: 1\nnfs: {server: {" + more + "}}\n"; }

std::string exported(const std::string& path, const std::string& options) {
  return fmt::format("{{path: {}, clients: [{{host: 192.0.2.0/24, options: [{}]}}]}}", path, options);
}

std::string projects(const std::string& options) {
  return server("exports: [" + exported("/nfs/projects", options) + "]");
}

HostModel with_server(bool serving) {
  HostPart part;
  part.nfs = true;
  part.serving = serving;
  return part.model();
}

std::vector<std::string> exports_of(const RecordedHost& host) {
  std::vector<std::string> exports;
  for (const auto& one : host.model().nfsd->state.exports)
    exports.push_back(fmt::format("{} {} {}", one.path, one.host, one.options));
  return exports;
}

std::size_t rereads(const RecordedHost& host) {
  return count_calls(host, "making " + unit + " read its configuration again");
}

using Texts = std::vector<std::string>;

TEST(NfsThreads, AreRaisedAndLoweredWhileTheServerRuns) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, server("threads: 32")).code, ExitCode::done);
  EXPECT_EQ(host.model().nfsd->state.threads, 32U);
  EXPECT_TRUE(plan_spec(host, server("threads: 32")).is_empty());
  ASSERT_EQ(apply_spec(host, server("threads: 2")).code, ExitCode::done);
  EXPECT_EQ(host.model().nfsd->state.threads, 2U);
  EXPECT_EQ(count_calls(host, "restarting " + unit), 0U);
  EXPECT_FALSE(host.model().nfsd->clients.empty()) << "nobody was disturbed";
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(host.model().nfsd->state.threads, 32U);
}

TEST(NfsThreads, OfASpecThatNamesNoneStay) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, server("threads: 32")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, server("")).code, ExitCode::done);
  EXPECT_EQ(host.model().nfsd->state.threads, 32U) << "what was changed is only let go";
  EXPECT_EQ(host.model().files.at("/etc/nfs.conf.d/rdmastate.conf").bytes.find("threads"), std::string::npos);
}

// To write a number into /proc/fs/nfsd/threads starts a server.
TEST(NfsThreads, StartNoServer) {
  RecordedHost host(with_server(false));
  ASSERT_EQ(apply_spec(host, server("threads: 32")).code, ExitCode::done);
  EXPECT_EQ(find_item(plan_spec(host, server("threads: 32")), nfs_threads_kind, unit)->gap.pending.sentence,
            "no NFS server runs here: it has 32 threads from the start of nfs-server.service on");
  EXPECT_FALSE(host.model().nfsd);
  ASSERT_EQ(apply_spec(host, server("run: true, threads: 32")).code, ExitCode::done);
  EXPECT_EQ(host.model().nfsd->state.threads, 32U) << "by its file, at its start";
  EXPECT_EQ(count_calls(host, "giving the NFS server 32 threads"), 0U);
}

TEST(NfsThreads, AreNeverNone) {
  RecordedHost host(with_server(true));
  EXPECT_THROW(host.host().nfsd->set_threads(0), Error);
  EXPECT_NE(host.model().nfsd->state.threads, 0U);
  RecordedHost stopped(with_server(false));
  EXPECT_THROW(stopped.host().nfsd->set_threads(4), Error) << "that would start it";
}

TEST(NfsExport, ComesWithTheServersReload) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, projects("rw")).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{"/nfs/projects 192.0.2.0/24 rw,no_subtree_check"});
  EXPECT_EQ(rereads(host), 1U);
  EXPECT_EQ(count_calls(host, "restarting " + unit), 0U);
  const Plan plan = plan_spec(host, projects("rw"));
  EXPECT_TRUE(plan.is_empty() && plan.count_pending() == 0);
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{});
}

TEST(NfsExport, OfSeveralTheFirstStepBringsAll) {
  RecordedHost host(with_server(true));
  const std::string two = "exports: [" + exported("/nfs/a", "rw") + ", " + exported("/nfs/b", "ro") + "]";
  ASSERT_EQ(apply_spec(host, server(two)).code, ExitCode::done);
  EXPECT_EQ(exports_of(host).size(), 2U);
  EXPECT_EQ(rereads(host), 1U);
}

TEST(NfsExport, WaitsForAServerOrComesWithIt) {
  RecordedHost host(with_server(false));
  EXPECT_EQ(find_item(plan_spec(host, projects("rw")), nfs_export_kind, key)->gap.pending.sentence,
            "no NFS server runs here: it is exported from the start of nfs-server.service on");
  const std::string spec = server("run: true, exports: [" + exported("/nfs/projects", "rw") + "]");
  EXPECT_EQ(find_item(plan_spec(host, spec), nfs_export_kind, key)->gap.after, "unit " + unit);
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(exports_of(host).size(), 1U);
  EXPECT_EQ(rereads(host), 0U);
  EXPECT_TRUE(plan_spec(host, spec).is_empty());
}

// Somebody exported it by hand with other options, or ended it.
TEST(NfsExport, ThatIsNotInTheTableAsWantedDiffers) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, projects("rw")).code, ExitCode::done);
  HostModel model = host.model();
  model.nfsd->state.exports[0].options = "ro,no_root_squash";
  RecordedHost other(model);
  EXPECT_TRUE(find_item(plan_spec(other, projects("rw")), nfs_export_kind, key) != nullptr &&
              !find_item(plan_spec(other, projects("rw")), nfs_export_kind, key)->gap.in_sync());
  model.nfsd->state.exports.clear();
  RecordedHost ended(model);
  EXPECT_TRUE(find_item(plan_spec(ended, projects("rw")), nfs_export_kind, key)->has_step());
}

TEST(NfsExport, EndsOnlyWhereItsClientsMayBeDisturbed) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, projects("rw")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, server("")).code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(own_file));
  EXPECT_EQ(exports_of(host).size(), 1U) << "its clients are not asked";
  EXPECT_EQ(find_item(plan_spec(host, server("")), nfs_export_kind, key)->gap.pending.sentence,
            "it is exported (rw) until nfs-server.service reads its exports again: this run may disrupt at most: link; "
            "--restart nfs-server.service does it now");
  const Plan plan = plan_spec(host, server(""), restarting(unit));
  const Item* item = find_item(plan, nfs_export_kind, key);
  EXPECT_EQ(item->disruption, Disruption::service);
  EXPECT_EQ(fmt::format("{}", fmt::join(item->touches, "; ")),
            "service nfs-server.service; NFS client 198.51.100.7:722 (Linux NFSv4.2 node2); the export of "
            "/nfs/projects to 192.0.2.0/24 ends, since no file has it");
  ASSERT_EQ(apply_spec(host, server(""), restarting(unit)).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{});
  EXPECT_EQ(count_calls(host, "restarting " + unit), 0U) << "a reload is enough";
}

TEST(NfsExport, IsNarrowedOnlyWhereItsClientsMayBeDisturbed) {
  RecordedHost host(with_server(true));
  ASSERT_EQ(apply_spec(host, projects("ro")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, projects("rw, no_root_squash")).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{"/nfs/projects 192.0.2.0/24 rw,no_root_squash,no_subtree_check"});
  ASSERT_EQ(apply_spec(host, projects("ro")).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{"/nfs/projects 192.0.2.0/24 rw,no_root_squash,no_subtree_check"});
  ASSERT_EQ(apply_spec(host, projects("ro"), restarting(unit)).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{"/nfs/projects 192.0.2.0/24 ro,no_subtree_check"});
}

TEST(NfsExport, OfSomebodysHandIsNotEndedUnasked) {
  HostModel model = with_server(true);
  model.nfsd->state.exports.push_back({"/srv/hand", "198.51.100.0/24", "rw"});
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, projects("rw")).code, ExitCode::done);
  EXPECT_EQ(rereads(host), 0U);
  EXPECT_EQ(find_item(plan_spec(host, projects("rw")), nfs_export_kind, key)->gap.pending.sentence,
            "it is not exported until nfs-server.service reads its exports again (the export of /srv/hand to "
            "198.51.100.0/24 ends, since no file has it): this run may disrupt at most: link; --restart "
            "nfs-server.service does it now");
  model.files["/etc/exports"] = {{FileType::regular, 0644, 0, 0}, "/srv/hand 198.51.100.0/24(rw)\n", {}};
  RecordedHost in_file(model);
  ASSERT_EQ(apply_spec(in_file, projects("rw")).code, ExitCode::done);
  EXPECT_EQ(rereads(in_file), 1U);
  EXPECT_EQ(exports_of(in_file).size(), 2U);
}

std::string pending_of(RecordedHost& host, const std::string& spec) {
  return find_item(plan_spec(host, spec), nfs_export_kind, key)->gap.pending.sentence;
}

// The server reads all exports at once: to export one would narrow the other, which has to wait.
TEST(NfsExport, WaitsWithAnotherThatIsNarrowed) {
  RecordedHost host(with_server(true));
  const auto both = [](const char* projects, const char* other) {
    return server("exports: [" + exported("/nfs/projects", projects) + ", " + exported("/nfs/other", other) + "]");
  };
  ASSERT_EQ(apply_spec(host, server("exports: [" + exported("/nfs/other", "rw") + "]")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, both("rw", "ro")).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{"/nfs/other 192.0.2.0/24 rw,no_subtree_check"});
  EXPECT_NE(pending_of(host, both("rw", "ro")).find("the export of /nfs/other to 192.0.2.0/24 gets ro in place of rw"),
            std::string::npos)
      << pending_of(host, both("rw", "ro"));
}

// Its file was changed, and nobody told the server yet.
TEST(NfsExport, WaitsWithOneOfOthersThatIsNarrowed) {
  HostModel model = with_server(true);
  model.nfsd->state.exports.push_back({"/srv/theirs", "node9.example.com", "rw,no_subtree_check"});
  put(model, "/etc/exports", "/srv/theirs node9(ro,no_subtree_check)\n");
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, projects("rw")).code, ExitCode::done);
  EXPECT_EQ(rereads(host), 0U);
  EXPECT_NE(pending_of(host, projects("rw")).find("/srv/theirs to node9.example.com gets ro in place of rw"),
            std::string::npos);
}

TEST(NfsExport, ThatOthersFilesBringIsNamed) {
  HostModel model = with_server(true);
  put(model, "/etc/exports", "/srv/new 198.51.100.0/24(rw)\n");
  RecordedHost host(model);
  const Plan plan = plan_spec(host, projects("rw"));
  const Item* item = find_item(plan, nfs_export_kind, key);
  ASSERT_TRUE(item->has_step());
  EXPECT_EQ(item->disruption, Disruption::none);
  EXPECT_EQ(item->touches, Texts{"the export of /srv/new to 198.51.100.0/24 begins, since /etc/exports has it"});
}

// No file brings back what somebody exported by hand, so that no rollback could.
TEST(NfsExport, MadeByHandIsReplacedOnlyWhereAskedAndDoesNotHoldUpARollback) {
  HostModel model = with_server(true);
  model.nfsd->state.exports.push_back({"/nfs/projects", "192.0.2.0/24", "ro,no_subtree_check"});
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, projects("rw")).code, ExitCode::done);
  EXPECT_EQ(rereads(host), 0U) << pending_of(host, projects("rw"));
  ASSERT_EQ(apply_spec(host, projects("rw"), restarting(unit)).code, ExitCode::done);
  EXPECT_EQ(exports_of(host), Texts{"/nfs/projects 192.0.2.0/24 rw,no_subtree_check"});
  Host doors = host.host();
  const Outcome back = rollback(doors, false, deaf());
  EXPECT_EQ(back.code, ExitCode::done) << back.message;
  EXPECT_EQ(apply_spec(host, server("")).code, ExitCode::done) << "no run is left open";
}

// A directory is none, a link leads to one, and 9.exports comes before 10.exports.
TEST(NfsExport, FilesOfOthersAreThoseThatExportfsReads) {
  HostModel model = with_server(true);
  model.files["/etc/exports.d/dir.exports"] = {{FileType::directory, 0755, 0, 0}, "", {}};
  model.files["/etc/exports.d/link.exports"] = {{FileType::symlink, 0777, 0, 0}, "../theirs", {}};
  model.files["/etc/exports.d/to-dir.exports"] = {{FileType::symlink, 0777, 0, 0}, "dir.exports", {}};
  put(model, "/etc/exports.d/10.exports", "/srv/a 198.51.100.0/24(ro)\n");
  put(model, "/etc/exports.d/9.exports", "/srv/a 198.51.100.0/24(rw)\n");
  put(model, "/etc/theirs", "/srv/b 198.51.100.0/24(rw)\n");
  add_parents(model.files);
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, projects("rw")).code, ExitCode::done);
  const Texts expected{"/srv/a 198.51.100.0/24 rw", "/srv/b 198.51.100.0/24 rw",
                       "/nfs/projects 192.0.2.0/24 rw,no_subtree_check"};
  EXPECT_EQ(exports_of(host), expected);
}

std::string many(int count) {
  std::string exports;
  for (int i = 0; i < count; ++i) exports += fmt::format("\n      - {}", exported(fmt::format("/nfs/{}", i), "rw"));
  return "version: 1\nnfs:\n  server:\n    exports:" + exports + "\n";
}

// Processor time of a plan that finds them all in place; the least of three.
std::clock_t time_of_plan(int count) {
  RecordedHost host(with_server(true));
  EXPECT_EQ(apply_spec(host, many(count)).code, ExitCode::done);
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    EXPECT_TRUE(plan_spec(host, many(count)).is_empty());
    least = std::min(least, std::clock() - start);
  }
  return least;
}

// A look at all exports for each of them took the square of their number. Eight times as many take eight times as long.
TEST(NfsExport, ThousandsTakeNoLonger) {
  const std::clock_t few = time_of_plan(250);
  EXPECT_LT(time_of_plan(2000), 24 * few);
}

TEST(NfsExport, OfAFileOfOthersIsRefusedByItsName) {
  HostModel model = with_server(true);
  model.files["/etc/exports"] = {{FileType::regular, 0644, 0, 0}, "/nfs/projects 192.0.2.0/24(ro)\n", {}};
  RecordedHost host(model);
  const Plan plan = plan_spec(host, projects("rw"));
  ASSERT_EQ(plan.refusals.size(), 1U);
  EXPECT_EQ(plan.refusals[0].sentence,
            "/etc/exports (exports) configures /nfs/projects for 192.0.2.0/24, which this spec names: it holds more "
            "than that; take that export out of it by hand");
}

TEST(NfsExport, IsNarrowedByWhatTakesSomethingAway) {
  using Pairs = std::vector<std::pair<const char*, const char*>>;
  for (const auto& one : Pairs{{"ro", "rw"}, {"rw", "rw,async"}, {"rw", "rw,no_root_squash,insecure"}})
    EXPECT_FALSE(is_narrowed(one.first, one.second)) << one.first << " to " << one.second;
  for (const auto& one : Pairs{{"rw", "ro"},
                               {"rw,no_root_squash", "rw"},
                               {"rw", "rw,sec=krb5"},
                               {"rw", "rw,fsid=1"},
                               {"rw", "rw,all_squash"},
                               {"rw,insecure", "rw"},
                               {"rw,insecure_locks", "rw"},
                               {"rw", "sec=sys,ro,sec=krb5,rw"},
                               {"sec=sys,ro,sec=krb5,rw", "rw"},
                               {"sec=sys,ro,sec=krb5,rw", "sec=sys,rw,sec=krb5,ro"}})
    EXPECT_TRUE(is_narrowed(one.first, one.second)) << one.first << " to " << one.second;
}

}  // namespace
}  // namespace rdmastate
