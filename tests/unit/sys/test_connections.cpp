// SPDX-License-Identifier: Apache-2.0
// The live host's connections, read in a tree that looks like procfs and sysfs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sys/connections.hpp"
#include "temporary_directory.hpp"

namespace rdmastate {
namespace {

namespace fs = std::filesystem;

class ConnectionsTest : public testing::Test {
 protected:
  void put(const std::string& path, const std::string& bytes) {
    fs::create_directories(directory.path() / fs::path(path).parent_path());
    std::ofstream(directory.path() / path) << bytes;
  }
  void link(const std::string& path, const std::string& target) {
    fs::create_directories(directory.path() / fs::path(path).parent_path());
    fs::create_symlink(target, directory.path() / path);
  }
  std::vector<Connection> list() { return KernelConnections(root).list(); }
  void nvme(const std::string& name, const std::string& transport, const std::string& address) {
    put("sys/class/nvme/" + name + "/transport", transport + "\n");
    put("sys/class/nvme/" + name + "/address", address + "\n");
    put("sys/class/nvme/" + name + "/subsysnqn", "nqn.example:" + name + "\n");
  }
  static std::string socket(const std::string& local, const std::string& inode) {
    return "   1: " + local + ":0016 4D0200C0:D431 01 00000000:00000000 02:000A1B2C 00000000 0 0 " + inode + " 4 0\n";
  }

  TemporaryDirectory directory;
  Root root{directory.path()};
};

TEST_F(ConnectionsTest, NothingIsThere) { EXPECT_TRUE(list().empty()); }

TEST_F(ConnectionsTest, NvmeBeneathAMount) {
  nvme("nvme0", "pcie", "0000:01:00.0");
  nvme("nvme1", "rdma", "traddr=192.0.2.9,trsvcid=4420,src_addr=192.0.2.1");
  nvme("nvme2", "tcp", "traddr=2001:db8::9,trsvcid=4420");
  link("sys/dev/block/259:1", "../../devices/virtual/nvme-fabrics/ctl/nvme1/nvme1n1");
  link("sys/dev/block/259:2", "../../devices/virtual/nvme-subsystem/nvme-subsys2/nvme2n1");
  fs::create_directories(directory.path() / "sys/class/nvme-subsystem/nvme-subsys2/nvme2");
  link("proc/self", "812");
  put("proc/812/mountinfo",
      "1 0 259:1 / /data rw - xfs /dev/nvme1n1 rw\n2 0 259:2 / /more rw - xfs /dev/nvme2n1 rw\n"
      "3 0 259:1 /a /data/again rw - xfs /dev/nvme1n1 rw\n");
  const auto found = list();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "nvme1");
  EXPECT_EQ(found[0].type, "nvme-rdma");
  EXPECT_EQ(found[0].source, "nqn.example:nvme1");
  EXPECT_TRUE(found[0].rdma);
  EXPECT_EQ(to_text(found[0].remotes.at(0)), "192.0.2.9");
  EXPECT_EQ(to_text(*found[0].local), "192.0.2.1");
  EXPECT_EQ(found[0].carries, (std::vector<std::string>{"/data", "/data/again"}));
  EXPECT_EQ(to_text(found[1].remotes.at(0)), "2001:db8::9");
  EXPECT_EQ(found[1].carries, std::vector<std::string>{"/more"});
}

TEST_F(ConnectionsTest, IscsiBeneathDeviceMapperAndBtrfs) {
  put("sys/class/iscsi_connection/connection3:0/address", "192.0.2.9\n");
  put("sys/class/iscsi_session/session3/targetname", "iqn.example:disk\n");
  link("sys/dev/block/254:0", "../../devices/virtual/block/dm-0");
  fs::create_directories(directory.path() / "sys/devices/virtual/block/dm-0/slaves/sda2");
  link("sys/class/block/sda2", "../../devices/platform/host2/session3/target2:0:0/2:0:0:0/block/sda/sda2");
  link("sys/class/block/dm-0", "../../devices/virtual/block/dm-0");
  link("dev/mapper/vg-var", "../dm-0");
  link("proc/self", "812");
  put("proc/812/mountinfo",
      "1 0 254:0 / /var rw - ext4 /dev/mapper/vg-var rw\n2 0 0:33 / /srv rw - btrfs /dev/mapper/vg-var rw\n");
  const auto found = list();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "session3");
  EXPECT_EQ(found[0].source, "iqn.example:disk");
  EXPECT_EQ(found[0].carries, (std::vector<std::string>{"/srv", "/var"}));
}

TEST_F(ConnectionsTest, TheSessionIsTheNearestServersAbove) {
  link("proc/self", "30");
  put("proc/30/stat", "30 (rdmastate) R 20 1 1");
  put("proc/20/stat", "20 (bash) S 10 1 1");
  put("proc/10/stat", "10 (sshd) S 5 1 1");
  put("proc/5/stat", "5 (sshd) S 1 1 1");
  link("proc/10/fd/3", "socket:[77]");
  link("proc/10/fd/4", "/dev/null");
  put("proc/10/net/tcp", "head\n" + socket("010200C0", "77") + socket("020200C0", "78"));
  const auto found = list();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].what, Connection::What::session);
  EXPECT_EQ(found[0].name, "10");
  EXPECT_EQ(found[0].type, "sshd");
  EXPECT_EQ(to_text(*found[0].local), "192.0.2.1");
  EXPECT_EQ(to_text(found[0].remotes.at(0)), "192.0.2.77");
}

// Ansible's async: its parent is process 1, and the server has a process with more rights beside the one with the
// socket.
TEST_F(ConnectionsTest, WhatWasDetachedHasTheServerOfItsAuditSession) {
  link("proc/self", "30");
  put("proc/30/stat", "30 (rdmastate) R 1 1 1");
  put("proc/30/sessionid", "7");
  put("proc/1/stat", "1 (systemd) S 0 1 1");
  put("proc/1/sessionid", "4294967295");
  put("proc/8/stat", "8 (sshd) S 1 1 1");
  put("proc/8/sessionid", "6");
  link("proc/8/fd/3", "socket:[76]");
  put("proc/8/net/tcp", "head\n" + socket("030200C0", "76"));
  for (const std::string pid : {"10", "11"}) {
    put("proc/" + pid + "/stat", pid + " (sshd) S 5 1 1");
    put("proc/" + pid + "/sessionid", "7");
    put("proc/" + pid + "/net/tcp", "head\n" + socket("010200C0", "77"));
  }
  link("proc/10/fd/3", "/dev/null");
  link("proc/11/fd/3", "socket:[77]");
  const auto found = list();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].what, Connection::What::session);
  EXPECT_EQ(found[0].name, "11");
  EXPECT_EQ(to_text(*found[0].local), "192.0.2.1");
}

TEST_F(ConnectionsTest, WhatNobodyLoggedInForHasNoSession) {
  link("proc/self", "30");
  put("proc/30/stat", "30 (rdmastate) R 1 1 1");
  put("proc/30/sessionid", "4294967295");
  put("proc/1/stat", "1 (systemd) S 0 1 1");
  put("proc/10/stat", "10 (sshd) S 1 1 1");
  put("proc/10/sessionid", "4294967295");
  link("proc/10/fd/3", "socket:[77]");
  put("proc/10/net/tcp", "head\n" + socket("010200C0", "77"));
  EXPECT_TRUE(list().empty());
}

}  // namespace
}  // namespace rdmastate
