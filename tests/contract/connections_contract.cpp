// SPDX-License-Identifier: Apache-2.0
#include "connections_contract.hpp"

#include <algorithm>

namespace rdmastate {

std::vector<Connection> ConnectionsContract::sessions() {
  auto all = bed->host().connections->list();
  std::erase_if(all, [](const Connection& one) { return one.what != Connection::What::session; });
  return all;
}

TEST_P(ConnectionsContract, TheSessionHasBothEnds) {
  IpAddress loopback;
  ASSERT_FALSE(Text<IpAddress>::read({"127.0.0.1", true}, loopback));
  bed->begin_session(loopback);
  const auto found = sessions();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].type, "sshd");
  EXPECT_FALSE(found[0].name.empty());
  EXPECT_EQ(found[0].local, loopback);
  EXPECT_EQ(found[0].remotes, std::vector{loopback});
  EXPECT_TRUE(found[0].carries.empty());
}

TEST_P(ConnectionsContract, EveryMountSaysWhatItCarries) {
  for (const auto& one : bed->host().connections->list())
    if (one.what == Connection::What::mount) {
      EXPECT_EQ(one.carries, std::vector<std::string>{one.name});
    }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConnectionsContract);

}  // namespace rdmastate
