// SPDX-License-Identifier: Apache-2.0
// What the ledger has after an apply of what the plan could see and what it could not.
#include <gtest/gtest.h>

#include "apply/execute.hpp"
#include "resources/file/file.hpp"
#include "resources/unit/unit.hpp"

namespace rdmastate {
namespace {

const std::string path = "/etc/modules-load.d/rdmastate.conf";

Ledger after(Cause cause, Observation observed) {
  Plan plan;
  Item item;
  item.kind = &file_kind;
  item.key = path;
  item.cause = cause;
  item.observed = std::move(observed);
  plan.items.push_back(std::move(item));
  Ledger before;
  before.entries.push_back({"file", path, Origin::made, "d", std::nullopt});
  return ledger_after(plan, {}, before);
}

TEST(LedgerAfter, KeepsWhatMayNotBeRead) {
  EXPECT_NE(after(Cause::forgotten, Unseen{"it may not be read"}).find("file", path), nullptr);
  EXPECT_EQ(after(Cause::forgotten, Absent{}).find("file", path), nullptr);
  EXPECT_NE(after(Cause::forgotten, State(file_kind, regular_file("x"))).find("file", path), nullptr)
      << "until it is removed";
}

TEST(LedgerAfter, LetsGoOfWhatIsReleased) {
  EXPECT_EQ(after(Cause::released, State(file_kind, regular_file("x"))).find("file", path), nullptr);
}

// A unit that may not be stopped now is disabled: what is left of it runs on, and was never rdmastate's.
TEST(LedgerAfter, LeavesOutTheRestOfWhatIsToBeAbsent) {
  Plan plan;
  Item item;
  item.kind = &unit_kind;
  item.key = "nfs-server.service";
  item.observed = running_unit();
  plan.items.push_back(std::move(item));
  UnitState rest;
  rest.active = true;
  const RoundStep step{{&unit_kind, "nfs-server.service", running_unit(), State(unit_kind, rest)}, "", 0};
  EXPECT_TRUE(ledger_after(plan, {step}, {}).entries.empty());
  Ledger before;
  before.entries.push_back({"unit", "nfs-server.service", Origin::made, "d", std::nullopt});
  EXPECT_NE(ledger_after(plan, {step}, before).find("unit", "nfs-server.service"), nullptr)
      << "the next apply goes on with what rdmastate made";
}

TEST(LedgerAfter, TakesUpWhatCarriesTheMark) {
  Plan plan;
  Item item;
  item.kind = &file_kind;
  item.key = path;
  item.cause = Cause::taken_up;
  item.observed = State(file_kind, regular_file("x"));
  item.asked.state = State(file_kind, regular_file("x"));
  plan.items.push_back(std::move(item));
  EXPECT_NE(ledger_after(plan, {}, {}).find("file", path), nullptr);
}

}  // namespace
}  // namespace rdmastate
