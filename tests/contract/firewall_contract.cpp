// SPDX-License-Identifier: Apache-2.0
#include "firewall_contract.hpp"

namespace rdmastate {
namespace {

constexpr FirewallStore stores[] = {FirewallStore::runtime, FirewallStore::permanent};

TEST_P(FirewallContract, OneStoreIsOpenedAndClosedAlone) {
  for (const FirewallStore store : stores) {
    const FirewallStore other = store == FirewallStore::runtime ? FirewallStore::permanent : FirewallStore::runtime;
    const FirewallZone before = zone(store);
    open(store, port);
    EXPECT_TRUE(zone(store).has(port));
    EXPECT_EQ(zone(store).services, before.services);
    EXPECT_FALSE(zone(other).has(port));
    EXPECT_NO_THROW(open(store, port)) << "it is open already";
    close(store, port);
    EXPECT_EQ(zone(store), before);
    EXPECT_NO_THROW(close(store, port)) << "it is closed already";
  }
}

// Two ports side by side stay two entries; the same number of another protocol is another port.
TEST_P(FirewallContract, APortIsAnEntryOfItsOwn) {
  const FirewallPorts next{20050, 20050, "tcp"};
  const FirewallPorts udp{20049, 20049, "udp"};
  for (const FirewallStore store : stores) {
    for (const auto& one : {port, next, udp}) open(store, one);
    close(store, port);
    EXPECT_TRUE(zone(store).has(next) && zone(store).has(udp));
    EXPECT_FALSE(zone(store).has(port));
  }
}

TEST_P(FirewallContract, ARangeIsLeftAsItIs) {
  for (const FirewallStore store : stores) {
    open(store, range);
    const FirewallZone before = zone(store);
    EXPECT_EQ(before.let_in_by(port), "the ports 20040-20060/tcp");
    EXPECT_NO_THROW(open(store, port));
    EXPECT_EQ(zone(store), before);
    EXPECT_NO_THROW(close(store, port));
    EXPECT_EQ(zone(store), before);
  }
}

TEST_P(FirewallContract, ARangeSwallowsThePortsInIt) {
  for (const FirewallStore store : stores) {
    open(store, port);
    open(store, range);
    EXPECT_FALSE(zone(store).has(port));
    EXPECT_TRUE(zone(store).has(range));
  }
}

TEST_P(FirewallContract, AZoneSaysWhatItsServicesLetIn) {
  for (const FirewallStore store : stores) {
    EXPECT_EQ(zone(store).let_in_by({22, 22, "tcp"}), "service ssh");
    EXPECT_EQ(zone(store).let_in_by(port), "");
  }
}

TEST_P(FirewallContract, AZoneThatIsNotThere) {
  for (const FirewallStore store : stores) {
    const auto all = firewall().zones(store);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    EXPECT_EQ(std::count(all.begin(), all.end(), name), 1);
    EXPECT_FALSE(firewall().zone(store, "contract"));
    EXPECT_THROW(firewall().open(store, "contract", port), Error);
    EXPECT_NO_THROW(firewall().close(store, "contract", port)) << "nothing is open in a zone that is not there";
  }
}

}  // namespace

void FirewallContract::SetUp() {
  if (host.firewall == nullptr || !firewall().runs()) GTEST_SKIP() << "firewalld does not run here";
}

void FirewallContract::TearDown() {
  if (host.firewall == nullptr || !firewall().runs()) return;
  for (const FirewallStore store : stores)
    for (const auto& one : zone(store).ports) close(store, one);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FirewallContract);

}  // namespace rdmastate
