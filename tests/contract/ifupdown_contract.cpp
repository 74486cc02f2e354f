// SPDX-License-Identifier: Apache-2.0
#include "ifupdown_contract.hpp"

#include "base/text.hpp"
#include "host/ifupdown.hpp"

namespace rdmastate {
namespace {

const std::string path = "/etc/network/interfaces.d/rdmastate-contract";

TEST_P(IfupdownContract, UpHoldsAnInterfaceAndDownTakesAwayWhatUpGave) {
  write(with_address);
  ifupdown().up(parent);
  EXPECT_TRUE(holds(parent));
  EXPECT_TRUE(has_address(parent));
  EXPECT_TRUE(need(parent).up);
  EXPECT_NO_THROW(ifupdown().up(parent)) << "what it holds is up already";
  ifupdown().down(parent);
  EXPECT_FALSE(holds(parent));
  EXPECT_FALSE(has_address(parent));
  EXPECT_FALSE(need(parent).up);
}

TEST_P(IfupdownContract, DownWithoutStanzasOnlyForgets) {
  write(with_address);
  ifupdown().up(parent);
  write("");
  ifupdown().down(parent);
  EXPECT_FALSE(holds(parent));
  EXPECT_TRUE(has_address(parent));
  write(with_address);
  ifupdown().down(parent);
  EXPECT_TRUE(has_address(parent)) << "it does not hold it";
  ifupdown().force_down(parent);
  EXPECT_FALSE(has_address(parent));
}

TEST_P(IfupdownContract, UpFailsOnAnAddressThatIsThere) {
  Address there;
  there.link = need(parent).index;
  there.value = contract_address("192.0.2.77/24");
  links().add(there);
  write(with_address);
  EXPECT_THROW(ifupdown().up(parent), Error);
  EXPECT_FALSE(holds(parent));
  EXPECT_TRUE(has_address(parent));
}

TEST_P(IfupdownContract, UpWithoutStanzasFails) { EXPECT_THROW(ifupdown().up("rct0"), Error); }

TEST_P(IfupdownContract, AChildBringsItsPortAndGoesWithIt) {
  const std::string child = parent + "." + to_text(granted()).substr(2);
  write("iface " + parent + " inet manual\niface " + child + " inet static\n    address 192.0.2.77/24\n");
  ifupdown().up(child);
  EXPECT_TRUE(holds(parent) && holds(child));
  EXPECT_TRUE(has_address(child));
  EXPECT_EQ(need(child).parent, need(parent).index);
  ifupdown().down(parent);
  EXPECT_FALSE(holds(parent) || holds(child));
  EXPECT_TRUE(settles([&] { return !links().find(child); }));
}

}  // namespace

void IfupdownContract::SetUp() {
  if (host.ifupdown == nullptr || !ifupdown().is_here()) GTEST_SKIP() << "no ifupdown of Debian here";
  IpoibContract::SetUp();
}

void IfupdownContract::TearDown() {
  if (host.ifupdown == nullptr || !ifupdown().is_here()) return;
  write(with_address);
  ifupdown().force_down(parent);
  host.files.remove(path);
  IpoibContract::TearDown();
}

void IfupdownContract::write(const std::string& stanzas) {
  host.files.replace(path, {{FileType::regular, 0644, 0, 0}, stanzas, {}});
}

bool IfupdownContract::holds(const std::string& interface) {
  return read_ifstate(host.files.read(std::string(ifstate_path)).value_or("")).contains(interface);
}

bool IfupdownContract::has_address(const std::string& interface) {
  const auto link = links().find(interface);
  if (!link) return false;
  const auto all = links().addresses(link->index);
  const IpInterface asked = contract_address("192.0.2.77/24");
  return std::any_of(all.begin(), all.end(), [&](const Address& one) { return one.value == asked; });
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IfupdownContract);

}  // namespace rdmastate
