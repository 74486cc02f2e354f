// SPDX-License-Identifier: Apache-2.0
// Traffic classes of a port: those of others count, stay and come back, and what cannot be had is blocked.
#include <gtest/gtest.h>

#include "apply/run.hpp"
#include "apply/undo.hpp"
#include "qos_scene.hpp"

namespace rdmastate {
namespace {

using namespace qos_scene;

TEST(QosPort, ClassesThatAreNotNamedStay) {
  TrafficClasses wanted = classes_of_vendor();
  RecordedHost host(with_classes(wanted));
  const std::vector<std::string> one_set{"setting traffic classes (ETS) on enp129s0d1"};
  EXPECT_EQ(sets(host, spec("{pfc: [3], priorities: {0: 0}, classes: {0: 40%, 3: 60%, 6: strict}}")), one_set);
  wanted.selection[0] = wanted.selection[3] = TrafficClasses::shared;
  wanted.selection[6] = TrafficClasses::strict;
  wanted.bandwidth[0] = 40;
  wanted.bandwidth[3] = 60;
  wanted.class_of[0] = 0;
  EXPECT_EQ(host.model().find(netdev)->dcb->classes, wanted);
  EXPECT_TRUE(sets(host, spec("{classes: {0: 40%, 3: 60%, 6: strict}}")).empty());
  EXPECT_EQ(sets(host, spec("{classes: {0: 30%, 3: 70%}}")), one_set);
  EXPECT_EQ(sets(host, spec("{priorities: {3: 2}}")), one_set);
  wanted.bandwidth[0] = 30;
  wanted.bandwidth[3] = 70;
  wanted.class_of[3] = 2;
  EXPECT_EQ(host.model().find(netdev)->dcb->classes, wanted);
  EXPECT_EQ(sets(host, spec("{classes: {0: vendor, 3: vendor}}")), one_set);
  EXPECT_EQ(host.model().find(netdev)->dcb->classes->selection[3], TrafficClasses::vendor);
}

TEST(QosPort, ClassesAreTakenBack) {
  const HostModel before = with_classes(classes_of_vendor());
  RecordedHost host(before);
  EXPECT_FALSE(sets(host, spec("{priorities: {3: 0}, classes: {0: 40%, 3: 60%, 6: strict}}")).empty());
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  HostModel model = before;
  EXPECT_EQ(host.model().find(netdev)->dcb, model.find(netdev)->dcb);
}

void forget_classes(std::optional<State>& state) {
  if (state)
    state = state->changed<QosPortState>([](QosPortState& one) {
      one.priorities.reset();
      one.classes.reset();
    });
}

TEST(QosPort, ARunOfAVersionThatKnewNoClassesIsTakenBack) {
  HostModel before = with_classes(classes_of_vendor());
  RecordedHost host(before);
  EXPECT_FALSE(sets(host, spec("{pfc: [4], dscp: {26: 3}}")).empty());
  Host doors = host.host();
  RunRecord run = *newest_run(doors);
  std::size_t steps = 0;
  for (auto& step : run.steps)
    if (step.kind == &qos_port_kind) {
      ++steps;
      forget_classes(step.from);
      forget_classes(step.to);
    }
  ASSERT_EQ(steps, 1U);
  const Undone undone = roll_back(doors, run, run.boot_id, {});
  EXPECT_EQ(undone.left, std::vector<std::string>{});
  EXPECT_EQ(host.model().find(netdev)->dcb, before.find(netdev)->dcb);
}

TEST(QosPort, ClassesThatCannotBeHadAreBlocked) {
  EXPECT_EQ(gap_of(spec("{classes: {0: 100%}}"), with(state_of(0, {}))).blocked,
            "the driver of enp129s0d1 has no traffic classes (ETS): take priorities and classes out");
  TrafficClasses few = classes_of_vendor();
  few.most = 4;
  few.class_of = {0, 0, 0, 0, 0, 0, 0, 0};
  const std::string none = "enp129s0d1 has 4 traffic classes, from 0: name no class 4";
  const Gap above = gap_of(spec("{pfc: [4], classes: {4: strict}}"), with_classes(few));
  EXPECT_EQ(above.blocked, none);
  EXPECT_EQ(above.never, (std::vector<std::string_view>{"priorities", "classes"}));
  EXPECT_TRUE(above.move) << "pfc goes on";
  EXPECT_EQ(gap_of(spec("{priorities: {0: 4}}"), with_classes(few)).blocked, none);
  EXPECT_EQ(gap_of(spec("{classes: {1: cbs}}"), with_classes(few)).blocked,
            "enp129s0d1 has no credit based shaper: name no class cbs");
}

TEST(QosPort, ClassesOfOthersCountInTheHundred) {
  TrafficClasses shared = classes_of_vendor();
  shared.selection[0] = shared.selection[5] = TrafficClasses::shared;
  shared.bandwidth[0] = 70;
  shared.bandwidth[5] = 30;
  const Gap gap = gap_of(spec("{classes: {0: 40%, 3: 60%}}"), with_classes(shared));
  EXPECT_EQ(
      gap.blocked,
      "the classes of enp129s0d1 would have 130% together, and drivers want 100% (class 0: 40%, class 3: 60%, class "
      "5: 30%): name the others in classes");
  EXPECT_FALSE(gap.move);
  EXPECT_FALSE(gap.never) << "somebody may change class 5";
  EXPECT_TRUE(gap_of(spec("{classes: {0: 40%, 3: 60%, 5: strict}}"), with_classes(shared)).move);
}

/// mlx5 shows a class with 0% beside one with 100% so.
TrafficClasses two_with_all() {
  TrafficClasses classes = classes_of_vendor();
  classes.selection[0] = classes.selection[3] = TrafficClasses::shared;
  return classes;
}

TEST(QosPort, ZeroBesideAHundredIsNotSet) {
  TrafficClasses zero = two_with_all();
  zero.selection[3] = TrafficClasses::vendor;
  zero.selection[1] = zero.selection[2] = TrafficClasses::shared;
  zero.bandwidth = {0, 40, 60, 100, 100, 100, 100, 100};
  EXPECT_EQ(gap_of(spec("{classes: {1: strict, 2: 100%}}"), of_driver("mlx5_core", with_classes(zero))).blocked,
            "a class of enp129s0d1 would have 0% beside one with 100%, which mlx5 shows as 100% of both (class 0: 0%, "
            "class 2: 100%): name the others in classes");
  RecordedHost host(with_classes(zero));
  EXPECT_EQ(sets(host, spec("{classes: {0: 0%, 1: 50%, 2: 50%}}")).size(), 1U) << "beside parts it can be had";
  EXPECT_TRUE(sets(host, spec("{classes: {0: 0%, 1: 50%, 2: 50%}}")).empty());
}

TEST(QosPort, MoreThanAHundredIsLeftAlone) {
  const HostModel model = of_driver("mlx5_core", with_classes(two_with_all()));
  const std::string why =
      "the classes of enp129s0d1 have 200% together (class 0: 100%, class 3: 100%), as mlx5 shows a class with 0% beside "
      "one with 100%, and could not be set back to that: `dcb ets set dev enp129s0d1 tc-bw all:0 ...` gives them other "
      "percentages";
  const Gap gap = gap_of(spec("{pfc: [4], classes: {0: 40%, 3: 60%}}"), model);
  EXPECT_EQ(gap.blocked, why);
  EXPECT_FALSE(gap.never);
  ASSERT_TRUE(gap.move) << "flow control goes on";
  EXPECT_EQ(gap.move->to->as<QosPortState>().classes, gap.move->from->as<QosPortState>().classes);
  EXPECT_EQ(gap_of(spec("{priorities: {5: 0}}"), model).blocked, why);
  EXPECT_TRUE(gap_of(spec("{classes: {6: vendor}}"), model).in_sync());
  EXPECT_EQ(gap_of(spec("{priorities: {5: 0}}"), with_classes(two_with_all())).blocked.find("mlx5"), std::string::npos);
}

TEST(QosPort, WhatOthersMappedIsNoReasonForNever) {
  TrafficClasses few = classes_of_vendor();  // a priority of class 7, though the device has classes 0 to 3
  few.most = 4;
  EXPECT_TRUE(gap_of(spec("{priorities: {0: 3}, classes: {3: strict}}"), with_classes(few)).move);
}

TEST(QosPort, AnOlderRecordIsUnseen) {
  HostModel model = with(state_of(0x08, {}));
  model.find(netdev)->dcb->is_older = true;
  for (const char* qos : {"{pfc: [4]}", "{classes: {0: 100%}}", "{priorities: {0: 0}}"}) {
    const Gap gap = gap_of(spec(qos), model);
    EXPECT_EQ(gap.unseen.substr(0, 80),
              "the record does not say who negotiates the priorities of enp129s0d1, nor what tr")
        << qos;
    EXPECT_FALSE(gap.move || gap.never || !gap.blocked.empty()) << qos;
  }
  EXPECT_TRUE(gap_of(spec("{pfc: [3]}"), model).in_sync());
}

/// Dcb as ice has it: a DSCP that has an entry gets no other one; the first entry sets other traffic classes, and when
/// the last one goes they have their defaults again, and so has flow control.

TEST(QosPort, ClassesComeBeforeFlowControl) {
  RecordedHost host(with_classes(classes_of_vendor()));
  EXPECT_EQ(sets(host, spec("{pfc: [4], classes: {0: 100%}}")),
            (std::vector<std::string>{"setting traffic classes (ETS) on enp129s0d1",
                                      "setting priority flow control (PFC) on enp129s0d1"}));
}

}  // namespace
}  // namespace rdmastate
