// SPDX-License-Identifier: Apache-2.0
#include "managers_contract.hpp"

#include <array>
#include <cstdlib>

#include "base/ini.hpp"

namespace rdmastate {
namespace {

// Before 1.42, which the guest's scenario tells, NetworkManager has no Reapply that keeps other programs' addresses.
bool reapplies() { return std::getenv("RDMASTATE_CONTRACT_NO_REAPPLY") == nullptr; }

TEST_P(NetworkManagerContract, LoadsAProfileAndTellsWhereItIsFrom) {
  EXPECT_EQ(look().from_file(path), nullptr);
  write("one");
  nm().load(path);
  const NmState state = look();
  const NmProfile* profile = state.from_file(path);
  ASSERT_NE(profile, nullptr);
  EXPECT_EQ(profile->uuid, uuid);
  EXPECT_EQ(profile->digest, "one");
  EXPECT_FALSE(profile->unsaved);
  EXPECT_EQ(state.profile(uuid), profile);
}

TEST_P(NetworkManagerContract, HoldsWhatItReadUntilItReadsAgain) {
  write("one");
  nm().load(path);
  write("two");
  EXPECT_EQ(look().from_file(path)->digest, "one");
  nm().load(path);
  EXPECT_EQ(look().from_file(path)->digest, "two");
}

TEST_P(NetworkManagerContract, ForgetsAFileThatIsGone) {
  write("one");
  nm().load(path);
  host.files.remove(path);
  nm().load(path);
  EXPECT_EQ(look().profile(uuid), nullptr);
}

TEST_P(NetworkManagerContract, TakesNoProfileFromWhatIsNone) {
  write("", 0600, "this is no keyfile\n");
  EXPECT_TRUE(is_refused([&] { nm().load(path); }));
}

TEST_P(NetworkManagerContract, TakesNoProfileFromAFileThatOthersMayRead) {
  write("one", 0644);
  EXPECT_TRUE(is_refused([&] { nm().load(path); }));
}

TEST_P(NetworkManagerContract, ActivatesReappliesAndDeactivates) {
  write("one");
  nm().load(path);
  nm().activate(uuid, parent);
  NmState state = look();
  ASSERT_NE(state.device(parent), nullptr);
  EXPECT_EQ(*state.device(parent), (NmDevice{parent, uuid, "one", true}));
  write("two");
  nm().load(path);
  EXPECT_EQ(look().device(parent)->digest, "one");
  EXPECT_EQ(nm().reapply(parent), reapplies());
  if (!reapplies()) nm().activate(uuid, parent);
  EXPECT_EQ(look().device(parent)->digest, "two");
  nm().deactivate(parent);
  EXPECT_EQ(look().device(parent), nullptr);
  EXPECT_FALSE(nm().reapply(parent));
  nm().deactivate(parent);
}

TEST_P(NetworkManagerContract, WhatIsNotLoadedIsNotActivated) {
  EXPECT_TRUE(is_refused([&] { nm().activate(uuid, parent); }));
}

TEST_P(NetworkManagerContract, WhatIsNotThereIsNotActivated) {
  write("one", 0600,
        "[connection]\nid=rct\nuuid=" + uuid +
            "\ntype=infiniband\ninterface-name=rct9\n[infiniband]\ntransport-mode=datagram\n");
  nm().load(path);
  EXPECT_TRUE(is_refused([&] { nm().activate(uuid, "rct9"); }));
}

TEST_P(NetworkManagerContract, Fact26WithoutCarrierOnlyWhatNeedsNoneIsActivated) {
  Fabric* fabric = bed->fabric();
  ASSERT_NE(fabric, nullptr);
  struct Case {
    std::string_view methods;
    bool needs;
  };
  constexpr std::array cases{
      Case{"[ipv4]\nmethod=disabled\n[ipv6]\nmethod=link-local\n", true},
      Case{"[ipv4]\nmethod=auto\n[ipv6]\nmethod=disabled\n", true},
      Case{"[ipv4]\nmethod=manual\naddress1=192.0.2.1/24\n[ipv6]\nmethod=link-local\nmay-fail=false\n", true},
      Case{"[ipv4]\nmethod=manual\naddress1=192.0.2.1/24\n[ipv6]\nmethod=link-local\n", false},
      Case{"[ipv4]\nmethod=disabled\n[ipv6]\nmethod=disabled\n", false}};
  fabric->set_state(1);
  for (const Case& one : cases) {
    const std::string text = head() + std::string(one.methods);
    EXPECT_EQ(needs_carrier(ini::File(ini::keyfile, text)), one.needs);
    write("", 0600, text);
    nm().load(path);
    EXPECT_EQ(is_refused([&] { nm().activate(uuid, parent); }), one.needs) << one.methods;
    nm().deactivate(parent);
  }
  fabric->set_state(4);
}

}  // namespace

void NetworkManagerContract::SetUp() {
  if (parent.empty() || host.networkmanager == nullptr || !nm().look())
    GTEST_SKIP() << "no InfiniBand, or no NetworkManager here";
}

void NetworkManagerContract::TearDown() {
  if (parent.empty() || host.networkmanager == nullptr || !nm().look()) return;
  nm().deactivate(parent);
  if (host.files.meta(path)) host.files.remove(path);
  if (look().from_file(path) != nullptr) nm().load(path);
  LinksContract::TearDown();
}

// Without autoconnect: these tests say when.
std::string NetworkManagerContract::head() const {
  return "[connection]\nid=rct\nuuid=" + uuid + "\ntype=infiniband\nautoconnect=false\ninterface-name=" + parent +
         "\n[infiniband]\ntransport-mode=datagram\n";
}

void NetworkManagerContract::write(const std::string& digest, std::uint32_t mode, const std::string& text) {
  FileContent file;
  file.meta = {FileType::regular, mode, 0, 0};
  file.bytes = text;
  if (text.empty())
    file.bytes =
        head() + "[ipv4]\nmethod=disabled\n[ipv6]\nmethod=link-local\n[user]\nrdmastate.digest=" + digest + "\n";
  host.files.replace(path, file);
}

bool NetworkManagerContract::is_refused(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error&) {
    return true;
  }
  return false;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NetworkManagerContract);

}  // namespace rdmastate
