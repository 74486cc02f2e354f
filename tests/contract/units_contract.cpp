// SPDX-License-Identifier: Apache-2.0
#include "units_contract.hpp"

#include <algorithm>
#include <chrono>

namespace rdmastate {
namespace {

TEST_P(UnitsContract, WhatIsNotThereIsNotKnown) {
  EXPECT_EQ(units().look("rdmastate-no-such-unit.service"), std::nullopt);
  EXPECT_THROW(units().start("rdmastate-no-such-unit.service"), Error);
}

TEST_P(UnitsContract, AServiceRunsFromItsStartToItsStop) {
  EXPECT_FALSE(look().active);
  units().start(unit);
  const UnitLook first = look();
  EXPECT_TRUE(first.active && first.main_pid != 0 && first.memlock);
  units().start(unit);
  EXPECT_EQ(look().main_pid, first.main_pid) << "what runs is left as it is";
  const auto running = units().services();
  EXPECT_TRUE(std::find(running.begin(), running.end(), unit) != running.end());
  EXPECT_TRUE(std::is_sorted(running.begin(), running.end()));
  units().stop(unit);
  EXPECT_FALSE(look().active);
  units().stop(unit);
}

TEST_P(UnitsContract, ARestartIsAnotherProcess) {
  units().restart(unit);
  const std::uint32_t first = look().main_pid;
  EXPECT_NE(first, 0U) << "one that did not run is started";
  write(folder + "/10-limit.conf", "[Service]\nLimitMEMLOCK=1048576:2097152\n");
  EXPECT_TRUE(look().needs_reload);
  units().reload();
  EXPECT_FALSE(look().needs_reload);
  EXPECT_NE(look().memlock, (MemlockLimit{{1U << 20U}, {2U << 20U}})) << "it is the limit of its start";
  units().restart(unit);
  constexpr MemlockLimit wanted{{1U << 20U}, {2U << 20U}};
  using namespace std::chrono_literals;
  for (int i = 0; i < 100 && look().memlock != wanted; ++i)
    host.clock.sleep(50ms);  // systemd says earlier that it started
  EXPECT_EQ(look().memlock, wanted);
  EXPECT_FALSE(look().older) << "all that the service had started ended with it";
}

TEST_P(UnitsContract, SighupIsForAMainProcess) {
  EXPECT_THROW(units().hang_up(unit), Error) << "it does not run";
  units().start(unit);
  EXPECT_FALSE(look().lost_device);
  EXPECT_NO_THROW(units().hang_up(unit));
}

}  // namespace

void UnitsContract::write(const std::string& path, const std::string& text) {
  host.files.replace(path, {{FileType::regular, 0644, 0, 0}, text, {}});
}

void UnitsContract::SetUp() {
  if (host.units == nullptr || !units().answers()) GTEST_SKIP() << "no systemd here";
  if (!host.files.meta("/run/systemd/system")) GTEST_SKIP() << "no place for a unit";
  host.files.replace(folder, {{FileType::directory, 0755, 0, 0}, "", {}});
  write(file, "[Service]\nExecStart=/bin/sleep 1000\n");
  units().reload();
}

void UnitsContract::TearDown() {
  if (host.units == nullptr || !units().answers() || !host.files.meta(file)) return;
  units().stop(unit);
  for (const auto& name : host.files.list(folder)) host.files.remove(folder + "/" + name);
  host.files.remove(folder);
  host.files.remove(file);
  units().reload();
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(UnitsContract);

}  // namespace rdmastate
