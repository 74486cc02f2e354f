// SPDX-License-Identifier: Apache-2.0
// Mounts and sockets as procfs and sysfs print them.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "captured.hpp"
#include "sys/codec/mounts_codec.hpp"
#include "sys/codec/rule_codec.hpp"
#include "sys/codec/sockets_codec.hpp"

namespace rdmastate::codec {
namespace {

IpAddress ip(const std::string& text) {
  IpAddress address;
  EXPECT_FALSE(Text<IpAddress>::read({text, true}, address)) << text;
  return address;
}

// Captured on Linux 6.1: an ext4 root, NFS 4.2 over TCP, NFS 3 over RDMA.
constexpr std::string_view mountinfo =
    "25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro\n"
    "88 25 0:52 / /mnt/with\\040space rw,relatime shared:44 - nfs4 store.example.com:/x "
    "rw,vers=4.2,rsize=131072,wsize=131072,namlen=255,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=192.0.2.1,"
    "local_lock=none,addr=192.0.2.9\n"
    "90 25 0:53 / /mnt/three rw,relatime - nfs 192.0.2.9:/y "
    "rw,vers=3,hard,proto=rdma,port=20049,mountaddr=192.0.2.8,addr=192.0.2.9\n"
    "91 25 0:54 / /broken rw\n";

TEST(Mounts, LinesAreTakenApart) {
  const auto mounts = mounts_from(mountinfo);
  ASSERT_EQ(mounts.size(), 3U);
  EXPECT_EQ(mounts[0], (MountLine{"254:1", "/", "ext4", "/dev/vda1", "rw,errors=remount-ro"}));
  EXPECT_EQ(mounts[1].target, "/mnt/with space");
  EXPECT_TRUE(mounts_from("").empty());
}

TEST(Mounts, NfsTellsBothEnds) {
  const auto mounts = mounts_from(mountinfo);
  EXPECT_FALSE(connection_of(mounts[0]));
  const auto four = connection_of(mounts[1]);
  ASSERT_TRUE(four);
  EXPECT_EQ(four->remotes, std::vector{ip("192.0.2.9")});
  EXPECT_EQ(four->local, ip("192.0.2.1"));
  EXPECT_FALSE(four->rdma);
  EXPECT_EQ(four->carries, std::vector<std::string>{"/mnt/with space"});
  const auto three = connection_of(mounts[2]);
  ASSERT_TRUE(three);
  EXPECT_FALSE(three->local);
  EXPECT_EQ(three->remotes, std::vector{ip("192.0.2.9")});
  EXPECT_TRUE(three->rdma);
}

TEST(Mounts, OthersTellInTheirSource) {
  const auto of = [](const std::string& type, const std::string& source, const std::string& options = "rw") {
    return connection_of({"0:9", "/mnt", type, source, options});
  };
  EXPECT_EQ(of("lustre", "192.0.2.9@o2ib:192.0.2.10@o2ib:/fs")->remotes,
            (std::vector{ip("192.0.2.9"), ip("192.0.2.10")}));
  EXPECT_TRUE(of("lustre", "192.0.2.9@o2ib:/fs")->rdma);
  EXPECT_FALSE(of("lustre", "192.0.2.9@tcp:/fs")->rdma);
  EXPECT_EQ(of("ceph", "192.0.2.9:6789,[2001:db8::9]:6789:/")->remotes,
            (std::vector{ip("192.0.2.9"), ip("2001:db8::9")}));
  EXPECT_TRUE(of("cifs", "//store/x", "rw,rdma,addr=192.0.2.9")->rdma);
  EXPECT_FALSE(of("9p", "host0", "rw,trans=virtio"));
  EXPECT_FALSE(of("tmpfs", "192.0.2.9"));
}

TEST(Mounts, AnAddressThatSaysNothingIsNone) {
  const auto mount = connection_of({"0:9", "/m", "nfs4", "a:/", "rw,clientaddr=0.0.0.0,addr=fe80::9%ib0"});
  ASSERT_TRUE(mount);
  EXPECT_FALSE(mount->local);
  EXPECT_EQ(mount->remotes, std::vector{ip("fe80::9")});
}

TEST(Processes, ACommandMayHoldAnything) {
  EXPECT_EQ(process_from("812 (sshd) S 640 812 812 0 -1"), (ProcessLine{"sshd", 640}));
  EXPECT_EQ(process_from("9 (a) S 1 (b) R 7 9"), (ProcessLine{"a) S 1 (b", 7}));
  EXPECT_EQ(process_from("9 (a b) S 7 9 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 99 98\n"),
            (ProcessLine{"a b", 7, 4711}));
  for (const char* text : {"", "812", "812 (sshd", "812 (sshd)", "812 (sshd) S", ")("})
    EXPECT_FALSE(process_from(text)) << text;
}

TEST(Sockets, EstablishedOnesWithTheirAddresses) {
  const std::string head =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const std::string rest =
      " 00000000:00000000 02:000A1B2C 00000000     0        0 4711 4 0000000000000000 20 4 31 10 -1\n";
  const auto v4 = established_from(head + "   0: 00000000:0016 00000000:0000 0A" + rest +
                                   "   1: 010200C0:0016 4D0200C0:D431 01" + rest);
  ASSERT_EQ(v4.size(), 1U);
  EXPECT_EQ(v4[0], (SocketLine{ip("192.0.2.1"), ip("192.0.2.77"), 4711}));
  const auto v6 = established_from(
      head + "   0: 0000000000000000FFFF0000010200C0:0016 0000000000000000FFFF00004D0200C0:D431 01" + rest +
      "   1: B80D0120000000000000000001000000:0016 "
      "B80D0120000000000000000002000000:D431 01" +
      rest);
  ASSERT_EQ(v6.size(), 2U);
  EXPECT_EQ(v6[0].local, ip("192.0.2.1"));
  EXPECT_EQ(v6[1], (SocketLine{ip("2001:db8::1"), ip("2001:db8::2"), 4711}));
  EXPECT_TRUE(established_from("   1: 0102:0016 4D0200C0:D431 01" + rest).empty());
}

TEST(Sockets, InodesOfLinks) {
  EXPECT_EQ(socket_inode("socket:[4711]"), 4711U);
  for (const char* text : {"", "pipe:[1]", "socket:[]", "socket:[x]", "/dev/null", "socket:[1"})
    EXPECT_FALSE(socket_inode(text)) << text;
}

TEST(Rules, ThoseOfOneAddressAreRead) {
  const auto four = rule_from(captured::bytes(captured::rule_v4));
  ASSERT_TRUE(four);
  EXPECT_EQ(four->what, Connection::What::rule);
  EXPECT_EQ(four->name, "100");
  EXPECT_EQ(four->source, "from 192.0.2.1 lookup 101");
  EXPECT_EQ(four->local, ip("192.0.2.1"));
  const auto six = rule_from(captured::bytes(captured::rule_v6));
  ASSERT_TRUE(six);
  EXPECT_EQ(six->source, "from 2001:db8::1 lookup 1000");
  EXPECT_EQ(six->local, ip("2001:db8::1"));
}

TEST(Rules, OthersSayNothingOfAnAddress) {
  for (const auto text : {captured::rule_of_network, captured::rule_of_all, captured::rule_of_multicast})
    EXPECT_FALSE(rule_from(captured::bytes(text)));
  EXPECT_THROW(rule_from(captured::bytes("0200")), Error);
}

}  // namespace
}  // namespace rdmastate::codec
