// SPDX-License-Identifier: Apache-2.0
// A group in /etc/group: what is a step, what waits, what is refused, and what is left to others.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "resources/group/group.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string spec =
    "version: 1\nmemlock: {group: rdma, members: [hpcuser], soft: 64GiB, hard: unlimited, services: [slurmd.service]}\n";
const std::string nothing = "version: 1\n";

HostModel with(const std::string& passwd, const std::string& group, const std::string& gshadow = "") {
  HostModel model = guide_model();
  model.files["/etc/passwd"].bytes += passwd;
  model.files["/etc/group"].bytes += group;
  if (!gshadow.empty()) model.files["/etc/gshadow"] = {{FileType::regular, 0640, 0, 42}, gshadow, {}};
  return model;
}

const std::string user = "hpcuser:x:1000:1000:,,,:/home/hpcuser:/bin/bash\n";

Gap gap_of(HostModel model, const std::string& text = spec) { return gap_in(std::move(model), text, group_kind); }

std::string bytes(const RecordedHost& host, const std::string& path) { return host.model().files.at(path).bytes; }

TEST(Group, IsMadeWithTheHighestFreeGid) {
  const Gap gap = gap_of(with(user + "svc:x:999:998::/:/bin/false\n", "other:x:997:\n", "root:*::\n"));
  ASSERT_TRUE(gap.move);
  const auto& to = gap.move->to->as<GroupState>();
  EXPECT_EQ(to.line, "rdma:x:996:hpcuser");
  EXPECT_EQ(to.shadow, "hpcuser");
  EXPECT_TRUE(gap.pending.empty());
}

TEST(Group, TakesItsGidFromLoginDefs) {
  HostModel model = with(user, "");
  model.files["/etc/login.defs"] = {
      {FileType::regular, 0644, 0, 0}, "#SYS_GID_MAX 900\nSYS_GID_MIN 201\nSYS_GID_MAX\t499\n", {}};
  EXPECT_EQ(gap_of(model).move->to->as<GroupState>().gid, 499U);
  model.files["/etc/login.defs"].bytes = "SYS_GID_MIN 400\nSYS_GID_MAX 400\n";
  model.directory.ids = {400};
  EXPECT_EQ(gap_of(model).blocked, "no gid of a system group is free for rdma: widen SYS_GID_MIN in /etc/login.defs");
}

TEST(Group, KeepsWhoIsInIt) {
  const Gap gap = gap_of(with(user, "rdma:x:105:old,older\n", "rdma:secret:adm:old\n"));
  ASSERT_TRUE(gap.move);
  EXPECT_EQ(gap.move->to->as<GroupState>().line, "rdma:x:105:old,older,hpcuser");
  EXPECT_EQ(gap.move->to->as<GroupState>().shadow, "old,hpcuser");
  EXPECT_TRUE(gap_of(with(user, "rdma:x:105:hpcuser\n")).in_sync());
  EXPECT_TRUE(gap_of(with("hpcuser:x:1000:105::/:/bin/sh\n", "rdma:x:105:\n")).in_sync()) << "by primary group";
}

TEST(Group, WaitsForUsersThatAreNotThere) {
  const Gap gap = gap_of(with("", "rdma:x:105:\n"));
  EXPECT_FALSE(gap.move);
  EXPECT_EQ(
      gap.pending.sentence,
      "hpcuser is no user here: rdmastate makes no users, and the next apply after it is there makes it a member of "
      "rdma");
  HostModel model = with("", "rdma:x:105:\n");
  model.directory.users = {"hpcuser"};
  ASSERT_TRUE(gap_of(model).move) << "a directory's user may be in a local group";
  EXPECT_TRUE(gap_of(model).pending.empty());
}

TEST(Group, OfADirectoryIsNotMadeAgain) {
  HostModel model = with(user, "");
  model.directory.groups = {"rdma"};
  EXPECT_EQ(
      gap_of(model).blocked,
      "group rdma is not in /etc/group: it comes from a directory service (getent group rdma), where hpcuser has to "
      "be a member");
}

TEST(Group, IsNotWrittenThroughALink) {
  HostModel model = with(user, "");
  model.files["/etc/group"] = {{FileType::symlink, 0777, 0, 0}, "/usr/etc/group", {}};
  EXPECT_EQ(gap_of(model).blocked,
            "/etc/group is a symlink, and rdmastate changes a line of a regular file: put the file itself there");
  model.files.erase("/etc/group");
  EXPECT_EQ(gap_of(model).pending.sentence,
            "there is no /etc/group: systemd-sysusers makes it, and the group in it, at the first boot");
}

TEST(Group, OfUmadHasToBeInTheFile) {
  const std::string text = "version: 1\npermissions: {umad: {group: ibdiag}}\n";
  EXPECT_TRUE(gap_of(with("", ""), text).move) << "it is made";
  HostModel elsewhere = with("", "");
  elsewhere.directory.groups = {"ibdiag"};
  EXPECT_EQ(
      gap_of(elsewhere, text).blocked,
      "group ibdiag is not in /etc/group: it comes from a directory service (getent group ibdiag), and udev leaves "
      "out a GROUP= that it cannot find in that file: name a group of this host's own");
  EXPECT_TRUE(gap_of(with("", "ibdiag:x:105:\n"), text).in_sync());
}

// Everything else of both files, their modes, owners and a password that is nobody's business stay.
TEST(Group, GoesThereAndBackByTheByte) {
  for (const char* end : {"", "zz:x:5000:", "+:::\n"}) {
    RecordedHost host(with(user, end, std::string("root:*::\nsecret:$6$x:adm:\n") + end));
    const auto before = host.model().files;
    ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
    for (const auto& [path, line] :
         {std::pair("/etc/group", "\nrdma:x:999:hpcuser"), std::pair("/etc/gshadow", "\nrdma:!*::hpcuser")}) {
      FileContent file = host.model().files.at(path);
      const std::size_t at = file.bytes.find(line);
      ASSERT_NE(at, std::string::npos) << file.bytes;
      file.bytes.erase(at, std::string_view(line).size());
      EXPECT_EQ(file, before.at(path)) << path << ": all but the group's line, mode and owner";
    }
    EXPECT_TRUE(plan_spec(host, spec).is_empty());
    ASSERT_EQ(apply_spec(host, nothing).code, ExitCode::done);
    for (const char* path : {"/etc/group", "/etc/gshadow"})
      EXPECT_EQ(host.model().files.at(path), before.at(path)) << path;
    Host doors = host.host();
    ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done) << "the removal is taken back";
    EXPECT_TRUE(plan_spec(host, spec).is_empty());
  }
}

// Others' lines behind it: a removal that is taken back puts it where it was.
TEST(Group, ComesBackToItsPlace) {
  RecordedHost host(with(user, "", "root:*::\n"));
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  host.model().files["/etc/group"].bytes += "later:x:1001:\n";
  host.model().files["/etc/gshadow"].bytes += "later:!::\n";
  const std::string before = seen(host);
  ASSERT_EQ(apply_spec(host, nothing).code, ExitCode::done);
  EXPECT_EQ(bytes(host, "/etc/group").find("rdma"), std::string::npos);
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(seen(host), before);
}

TEST(Group, ALineOfGshadowAloneIsSomebodyElses) {
  const Gap gap = gap_of(with(user, "", "root:*::\nrdma:$6$x::\n"));
  EXPECT_FALSE(gap.move);
  EXPECT_NE(gap.blocked.find("/etc/gshadow has a line of rdma"), std::string::npos) << gap.blocked;
  EXPECT_TRUE(gap_of(with(user, "", "root:*::\nrdmas:$6$x::\n")).move);
}

TEST(Group, StaysWhenOthersLiveOnIt) {
  const auto after = [](const std::function<void(HostModel&)>& change) {
    RecordedHost host(with(user, "", "root:*::\n"));
    EXPECT_EQ(apply_spec(host, spec).code, ExitCode::done);
    change(host.model());
    EXPECT_EQ(apply_spec(host, nothing).code, ExitCode::done);
    return bytes(host, "/etc/group").find("\nrdma:") != std::string::npos;
  };
  const auto replace = [](std::string& text, const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
  };
  EXPECT_FALSE(after([](HostModel&) {}));
  EXPECT_TRUE(after([&](HostModel& m) { replace(m.files["/etc/group"].bytes, ":hpcuser", ":hpcuser,root"); }));
  EXPECT_TRUE(after([&](HostModel& m) { replace(m.files["/etc/passwd"].bytes, "1000:1000", "1000:999"); }));
  EXPECT_TRUE(after([&](HostModel& m) { replace(m.files["/etc/gshadow"].bytes, "rdma:!*", "rdma:hash"); }));
}

TEST(Group, OfOthersIsReleasedAsItIs) {
  RecordedHost host(with(user, "rdma:x:105:\n"));
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, nothing).code, ExitCode::done);
  EXPECT_NE(bytes(host, "/etc/group").find("\nrdma:x:105:hpcuser\n"), std::string::npos);
}

}  // namespace
}  // namespace rdmastate
