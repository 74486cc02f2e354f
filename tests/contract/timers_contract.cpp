// SPDX-License-Identifier: Apache-2.0
#include "timers_contract.hpp"

namespace rdmastate {
namespace {

constexpr std::chrono::seconds hour{3600};
const std::vector<std::string> harmless{"--version"};

TEST_P(TimersContract, OneNameIsOneTimerUntilItIsDisarmed) {
  EXPECT_TRUE(is_taken(name));
  EXPECT_FALSE(is_taken(name));
  EXPECT_TRUE(is_taken(name + "-2"));
  timers().disarm(name + "-2");
  EXPECT_FALSE(is_taken(name)) << "the other one stays";
}

TEST_P(TimersContract, WhatIsNotThereIsDisarmedAlready) {
  timers().disarm(name);
  EXPECT_TRUE(is_taken(name));
  timers().disarm(name);
  timers().disarm(name);
}

}  // namespace

void TimersContract::SetUp() {
  if (host.timers == nullptr || !timers().answers()) GTEST_SKIP() << "no systemd here";
}

void TimersContract::TearDown() {
  if (host.timers == nullptr || !timers().answers()) return;
  timers().disarm(name);
  timers().disarm(name + "-2");
}

bool TimersContract::is_taken(const std::string& one) {
  try {
    timers().arm(one, hour, harmless);
  } catch (const Error&) {
    return false;
  }
  return true;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TimersContract);

}  // namespace rdmastate
