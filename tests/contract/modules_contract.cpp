// SPDX-License-Identifier: Apache-2.0
#include "modules_contract.hpp"

#include <algorithm>
#include <cerrno>

namespace rdmastate {
namespace {

const ModuleName ipoib{"ib_ipoib"};

TEST_P(ModulesContract, WhatIsThereAndWhatIsNot) {
  EXPECT_EQ(modules().status(ipoib), ModuleStatus::loaded);
  EXPECT_EQ(modules().status({"no_such_module"}), ModuleStatus::missing);
  EXPECT_EQ(errno_of([&] { modules().load({"no_such_module"}); }), ENOENT);
}

TEST_P(ModulesContract, LoadingWhatIsLoadedDoesNothing) {
  EXPECT_EQ(errno_of([&] { modules().load(ipoib); }), 0);
}

TEST_P(ModulesContract, WhatOthersNeedIsNotUnloaded) {
  EXPECT_GT(modules().users({"ib_core"}), 0U);
  EXPECT_EQ(errno_of([&] { modules().unload({"ib_core"}); }), EWOULDBLOCK);
  EXPECT_EQ(modules().status({"ib_core"}), ModuleStatus::loaded);
}

TEST_P(ModulesContract, WhatIsNotLoadedIsNotUnloaded) {
  EXPECT_EQ(errno_of([&] { modules().unload({"no_such_module"}); }), ENOENT);
}

TEST_P(ModulesContract, IpoibTakesItsInterfacesWithItAndBringsThemBack) {
  const std::size_t before = ipoib_parents();
  ASSERT_GT(before, 0U);
  create("rct1", granted());
  EXPECT_EQ(modules().users(ipoib), 0U);
  modules().unload(ipoib);
  EXPECT_EQ(modules().status(ipoib), ModuleStatus::loadable);
  EXPECT_EQ(ipoib_parents(), 0U);
  EXPECT_FALSE(links().find("rct1"));
  modules().load(ipoib);
  EXPECT_EQ(modules().status(ipoib), ModuleStatus::loaded);
  EXPECT_TRUE(settles([&] { return ipoib_parents() == before; }));
  for (const auto& link : links().dump()) {
    if (!link.is_ipoib()) continue;
    EXPECT_EQ(link.ipoib->mode, IpoibMode::datagram);
    EXPECT_NE(link.port_guid(), Guid{});
  }
}

}  // namespace

void ModulesContract::SetUp() {
  if (parent.empty()) GTEST_SKIP() << "no InfiniBand here";
}

void ModulesContract::TearDown() {
  if (parent.empty()) return;
  modules().load(ipoib);
  LinksContract::TearDown();
}

std::size_t ModulesContract::ipoib_parents() {
  const auto all = links().dump();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const Link& one) { return one.is_ipoib() && !one.is_child(); }));
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ModulesContract);

}  // namespace rdmastate
