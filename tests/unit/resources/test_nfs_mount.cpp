// SPDX-License-Identifier: Apache-2.0
// Mounts over RDMA that are there now: started, compared with what the kernel prints, and left until they are
// unmounted or the run may disrupt their unit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "host/mounts.hpp"
#include "resources/nfs_mount.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

const std::string target = "/mnt/projects";
const std::string unit = "mnt-projects.mount";

std::string mount(const std::string& more) {
  return "version: 1\nnfs: {client: {mounts: [{source: \"server.example.com:/nfs\", target: /mnt/projects" + more +
         "}]}}\n";
}

HostModel client() {
  HostPart part;
  part.nfs = true;
  return part.model();
}

std::string mounted(const RecordedHost& host) {
  const auto file = host.model().files.find(mountinfo_path);
  if (file == host.model().files.end()) return {};
  std::string text;
  for (const auto& line : mounts_from(file->second.bytes))
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ", line.type, line.source, line.options);
  return text;
}

TEST(NfsMountOptions, AreComparedWithWhatTheKernelPrints) {
  const char* shown =
      "rw,vers=4.2,rsize=1048576,wsize=1048576,namlen=255,hard,proto=rdma,port=20049,timeo=600,retrans=2,sec=sys";
  for (const char* fits :
       {"proto=rdma,port=20049", "vers=4.2,hard", "vers=4", "nfsvers=4.2", "noatime", "sec=sys,rw", "nconnect=4"})
    EXPECT_TRUE(fits_options(shown, fits)) << fits;
  for (const char* other : {"proto=tcp", "proto=rdma,port=20050", "vers=4.1", "vers=3", "soft", "ro", "sec=krb5"})
    EXPECT_FALSE(fits_options(shown, other)) << other;
}

TEST(NfsMount, IsMountedNowAndOnce) {
  RecordedHost host(client());
  ASSERT_EQ(apply_spec(host, mount(", options: [hard]")).code, ExitCode::done);
  EXPECT_EQ(mounted(host), "nfs4 server.example.com:/nfs rw,proto=rdma,port=20049,hard");
  EXPECT_TRUE(plan_spec(host, mount(", options: [hard]")).is_empty());
  EXPECT_EQ(plan_spec(host, mount(", options: [hard]")).count_pending(), 0U);
}

TEST(NfsMount, ByAutomountIsThereForWhoLooks) {
  RecordedHost host(client());
  ASSERT_EQ(apply_spec(host, mount(", automount: true")).code, ExitCode::done);
  EXPECT_EQ(mounted(host), "autofs systemd-1 rw,direct");
  EXPECT_TRUE(plan_spec(host, mount(", automount: true")).is_empty());
}

TEST(NfsMount, ThatIsInUseWaitsForWhoMayUnmountIt) {
  RecordedHost host(client());
  ASSERT_EQ(apply_spec(host, mount("")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  EXPECT_NE(mounted(host), "");
  const Plan plan = plan_spec(host, "version: 1\n");
  ASSERT_NE(find_item(plan, nfs_mount_kind, target), nullptr);
  EXPECT_EQ(find_item(plan, nfs_mount_kind, target)->gap.pending.sentence,
            "server.example.com:/nfs is mounted there until it is unmounted: this run may disrupt at most: link; "
            "--restart mnt-projects.mount does it now");
  PlanOptions options;
  options.restart.insert(unit);
  ASSERT_EQ(apply_spec(host, "version: 1\n", options).code, ExitCode::done);
  EXPECT_EQ(mounted(host), "");
}

// The spec drops a mount, and meanwhile somebody has mounted another export there.
TEST(NfsMount, OfOthersInPlaceOfOursIsLeft) {
  RecordedHost host(client());
  ASSERT_EQ(apply_spec(host, mount("")).code, ExitCode::done);
  const std::string theirs = "nfs4 other.example.com:/home rw,vers=4.2,proto=tcp,hard";
  auto& mounts = host.model().files.at(mountinfo_path).bytes;
  mounts = "36 25 0:44 / /mnt/projects rw - nfs4 other.example.com:/home rw,vers=4.2,proto=tcp,hard\n";
  ASSERT_EQ(mounted(host), theirs);
  PlanOptions options;
  options.restart.insert(unit);
  ASSERT_EQ(apply_spec(host, "version: 1\n", options).code, ExitCode::done);
  EXPECT_EQ(mounted(host), theirs);
  EXPECT_TRUE(plan_spec(host, "version: 1\n", options).is_empty());
}

TEST(NfsMount, OfOthersIsNamedAndLeft) {
  HostModel model = client();
  model.files[mountinfo_path] = {
      {FileType::regular, 0444, 0, 0}, "36 25 0:44 / /mnt/projects rw - tmpfs scratch rw\n", {}};
  add_parents(model.files);
  RecordedHost host(std::move(model));
  EXPECT_EQ(find_item(plan_spec(host, mount("")), nfs_mount_kind, target)->gap.blocked,
            "scratch (tmpfs) is mounted at /mnt/projects: unmount it, or choose another target");
}

TEST(NfsMount, WithoutItsPackageIsPending) {
  HostModel model = client();
  model.files.erase("/usr/sbin/mount.nfs");
  RecordedHost host(std::move(model));
  EXPECT_EQ(find_item(plan_spec(host, mount("")), nfs_mount_kind, target)->gap.pending.until, Until::package);
}

}  // namespace
}  // namespace rdmastate
