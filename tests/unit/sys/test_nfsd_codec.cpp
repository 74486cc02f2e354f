// SPDX-License-Identifier: Apache-2.0
// The texts of /proc/fs/nfsd, as Linux 6.1 writes them.
#include <gtest/gtest.h>

#include "sys/codec/nfsd_codec.hpp"

namespace rdmastate::codec {
namespace {

using Listeners = std::vector<NfsListener>;

TEST(NfsdCodec, AListenerOfTwoFamiliesIsOne) {
  EXPECT_EQ(listeners_from("rdma 20049\nrdma 20049\ntcp 2049\nudp 2049\ntcp 2049\n"),
            (Listeners{{"rdma", 20049}, {"tcp", 2049}, {"udp", 2049}}));
  EXPECT_TRUE(listeners_from("").empty());
}

TEST(NfsdCodec, WhatIsNoListenerIsLeftOut) {
  EXPECT_EQ(listeners_from("rdma\n 20049\nrdma twenty\nrdma 99999999999\nrdma 20050"), (Listeners{{"rdma", 20050}}));
  EXPECT_EQ(listener_text({"rdma", 20049}), "rdma 20049");
}

TEST(NfsdCodec, AClientHasItsAddressAndItsName) {
  const char* info =
      "clientid: 0x6b1b1a2c66d3ab40\naddress: \"198.51.100.7:722\"\nstatus: confirmed\n"
      "seconds from last renew: 3\nname: \"Linux NFSv4.2 node2\"\nminor version: 2\n";
  EXPECT_EQ(client_from(info), (NfsdClient{"198.51.100.7:722", "Linux NFSv4.2 node2"}));
  EXPECT_EQ(client_from("address: \"[2001:db8::7]:722\"\n"), (NfsdClient{"[2001:db8::7]:722", ""}));
  EXPECT_EQ(client_from("clientid: 0x1\n"), std::nullopt);
}

}  // namespace
}  // namespace rdmastate::codec
