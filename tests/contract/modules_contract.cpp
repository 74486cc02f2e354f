// SPDX-License-Identifier: Apache-2.0
#include "modules_contract.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

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

TEST_P(ModulesContract, AReadOnlyParameterIsShownAndRefusesToBeSet) {
  const auto size = modules().parameter(ipoib, {"recv_queue_size"});
  ASSERT_TRUE(size && size->value);
  EXPECT_FALSE(size->writable);
  EXPECT_GE(std::stoi(*size->value), 2);
  EXPECT_FALSE(modules().parameter(ipoib, {"no_such_parameter"}));
  EXPECT_FALSE(modules().parameter({"no_such_module"}, {"no_such_parameter"}));
  EXPECT_EQ(errno_of([&] { modules().set_parameter(ipoib, {"recv_queue_size"}, "512"); }), EACCES);
  EXPECT_EQ(errno_of([&] { modules().set_parameter(ipoib, {"no_such_parameter"}, "1"); }), ENOENT);
}

TEST_P(ModulesContract, AWritableParameterTakesANumberAndRefusesAWord) {
  const ParameterName level{"debug_level"};  // of kernels with CONFIG_INFINIBAND_IPOIB_DEBUG
  const auto before = modules().parameter(ipoib, level);
  if (!before || !before->value) GTEST_SKIP() << "ib_ipoib has no debug_level here";
  EXPECT_TRUE(before->writable);
  EXPECT_EQ(errno_of([&] { modules().set_parameter(ipoib, level, "much"); }), EINVAL);
  EXPECT_EQ(modules().parameter(ipoib, level), before);
  EXPECT_EQ(errno_of([&] { modules().set_parameter(ipoib, level, "0x2"); }), 0);
  EXPECT_EQ(modules().parameter(ipoib, level)->value, "2");
  modules().set_parameter(ipoib, level, *before->value);
  EXPECT_EQ(modules().parameter(ipoib, level), before);
}

TEST_P(ModulesContract, AParameterOfAModuleThatIsNotLoadedHasNoValue) {
  modules().unload(ipoib);
  const auto size = modules().parameter(ipoib, {"recv_queue_size"});
  ASSERT_TRUE(size);
  EXPECT_FALSE(size->value);
  EXPECT_FALSE(modules().parameter(ipoib, {"no_such_parameter"}));
  EXPECT_EQ(errno_of([&] { modules().set_parameter(ipoib, {"recv_queue_size"}, "512"); }), ENOENT);
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
