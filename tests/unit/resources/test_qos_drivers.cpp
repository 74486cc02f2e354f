// SPDX-License-Identifier: Apache-2.0
// What single drivers refuse or do by themselves: bnxt_en, and ice.
#include <gtest/gtest.h>

#include <cerrno>

#include "apply/undo.hpp"
#include "qos_scene.hpp"

namespace rdmastate {
namespace {

using namespace qos_scene;

TEST(QosPort, WhatBnxtRefusesIsBlocked) {
  TrafficClasses strict = classes_of_vendor();
  strict.selection.fill(TrafficClasses::strict);
  strict.bandwidth.fill(0);
  const auto gap = [&](const std::string& qos) {
    return gap_of(spec(qos), of_driver("bnxt_en", with_classes(strict)));
  };
  const Gap vendor = gap("{classes: {0: 40%, 1: 60%, 2: vendor}}");
  EXPECT_EQ(vendor.blocked, "the driver of enp129s0d1 has no algorithm of the vendor: name no class vendor");
  EXPECT_EQ(vendor.never, (std::vector<std::string_view>{"priorities", "classes"}));
  const Gap zero = gap("{classes: {0: 40%, 1: 60%, 2: 0%}}");
  EXPECT_EQ(
      zero.blocked,
      "a class of enp129s0d1 would have 0%, which bnxt_en refuses (class 0: 40%, class 1: 60%, class 2: 0%): give "
      "it at least 1%, or say strict");
  EXPECT_FALSE(zero.move);
  EXPECT_TRUE(gap("{classes: {0: 40%, 1: 60%}}").move);
}

TEST(QosPort, BnxtWantsClassesBeforeFlowControl) {
  TrafficClasses first;
  first.most = 8;
  const auto gap = [&](const std::string& qos, const std::string& driver = "bnxt_en") {
    return gap_of(spec(qos), of_driver(driver, with_classes(first)));
  };
  const Gap alone = gap("{pfc: [4], dscp: {26: 4}}");
  EXPECT_EQ(alone.blocked, "bnxt_en takes no flow control before traffic classes are set: name priorities and classes");
  EXPECT_FALSE(alone.never) << "somebody may set classes";
  EXPECT_TRUE(alone.move) << "dscp goes on";
  EXPECT_TRUE(gap("{pfc: [4], priorities: {4: 1}, classes: {0: 40%, 1: 60%}}").blocked.empty());
  EXPECT_TRUE(gap("{pfc: [4]}", "mlx5_core").blocked.empty());
  first.class_of[4] = 1;
  EXPECT_TRUE(gap("{pfc: [4]}").blocked.empty()) << "classes were set";
}

class LikeIce final : public Dcb {
 public:
  explicit LikeIce(Dcb& recorded) : recorded_(recorded) { classes_.most = 8; }
  std::optional<DcbState> dcb(const std::string& name) override {
    auto state = recorded_.dcb(name);
    if (state) state->classes = classes_;
    return state;
  }
  std::optional<PauseState> pause(const std::string& name) override { return recorded_.pause(name); }
  FlowCounters flow_counters(const std::string& name) override { return recorded_.flow_counters(name); }
  void set_flow_control(const std::string& name, const FlowControl& wanted) override {
    recorded_.set_flow_control(name, wanted);
  }
  void set_classes(const std::string&, const TrafficClasses& wanted) override { classes_ = wanted; }
  void set_buffers(const std::string& name, const PortBuffers& wanted) override { recorded_.set_buffers(name, wanted); }
  void add_dscp(const std::string& name, DscpEntry entry) override {
    const DcbState present = *recorded_.dcb(name);
    if (present.dscp.empty()) {
      classes_.selection.fill(TrafficClasses::shared);
      classes_.bandwidth = {100, 0, 0, 0, 0, 0, 0, 0};
      classes_.class_of = {0, 1, 2, 3, 4, 5, 6, 7};
    }
    for (const auto& [dscp, priority] : present.dscp)
      if (dscp == entry.first) throw SystemError("mapping a DSCP", EINVAL);
    recorded_.add_dscp(name, entry);
  }
  void remove_dscp(const std::string& name, DscpEntry entry) override {
    recorded_.remove_dscp(name, entry);
    DcbState left = *recorded_.dcb(name);
    if (!left.dscp.empty()) return;
    classes_ = {};
    classes_.most = 8;
    left.flow_control->priorities = 0;
    recorded_.set_flow_control(name, *left.flow_control);
  }

 private:
  Dcb& recorded_;
  TrafficClasses classes_ = {};
};

TEST(QosPort, ADscpThatIsTakenIsFreedFirstWhereTheDriverWantsThat) {
  RecordedHost host(of_driver("ice", with(state_of(0, {{26, 3}, {46, 6}}))));
  Host doors = host.host();
  LikeIce ice(*doors.dcb);
  doors.dcb = &ice;
  const Outcome outcome = apply(doors, wish_for(spec("{dscp: {26: 4, 10: 1}}")), deaf());
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_EQ(host.model().find(netdev)->dcb->dscp, (std::set<DscpEntry>{{10, 1}, {26, 4}, {46, 6}}));
}

TEST(QosPort, FlowControlThatGoesWithTheLastDscpIsSetAgain) {
  for (const char* qos : {"{dscp: {26: 4}}", "{pfc: [3], trust: pcp}"}) {
    RecordedHost host(of_driver("ice", with(state_of(0x08, {{26, 3}}))));
    Host doors = host.host();
    LikeIce ice(*doors.dcb);
    doors.dcb = &ice;
    const Outcome outcome = apply(doors, wish_for(spec(qos)), deaf());
    EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
    EXPECT_EQ(host.model().find(netdev)->dcb->flow_control->priorities, 0x08) << qos;
  }
}

TEST(QosPort, ARefusedDscpFreesNothingOfOtherDrivers) {
  RecordedHost host(with(state_of(0, {{26, 3}, {46, 6}})));
  Host doors = host.host();
  LikeIce refusing(*doors.dcb);
  doors.dcb = &refusing;
  EXPECT_EQ(apply(doors, wish_for(spec("{dscp: {26: 4}}")), deaf()).code, ExitCode::failed_restored);
  for (const auto& call : host.calls()) EXPECT_EQ(call.find("DSCP"), std::string::npos) << call;
  EXPECT_EQ(host.model().find(netdev)->dcb->dscp, (std::set<DscpEntry>{{26, 3}, {46, 6}}));
}

TEST(QosPort, APriorityOfADscpThatIsNoClassOfIceIsBlocked) {
  DcbState few = state_of(0, {{10, 5}});
  few.flow_control->most = 4;
  const Gap gap = gap_of(spec("{trust: dscp, pfc: [3], dscp: {26: 4}}"), of_driver("ice", with(few)));
  EXPECT_EQ(
      gap.blocked,
      "ice takes the priority of a DSCP for a traffic class, and enp129s0d1 has 4, from 0: name no priority above "
      "3 in dscp");
  EXPECT_EQ(gap.never, std::vector<std::string_view>{"dscp"});
  EXPECT_TRUE(gap.move) << "pfc goes on";
  EXPECT_TRUE(gap_of(spec("{dscp: {26: 3}}"), of_driver("ice", with(few))).blocked.empty());
  EXPECT_TRUE(gap_of(spec("{dscp: {26: 4}}"), with(few)).blocked.empty()) << "of other drivers it is a priority";
}

TEST(QosPort, ClassesThatTheDriverMakesAreNotOfTheState) {
  RecordedHost host(of_driver("ice", with(state_of(0, {}))));
  Host doors = host.host();
  LikeIce ice(*doors.dcb);
  doors.dcb = &ice;
  const DcbState before = *ice.dcb(netdev);
  const std::string text = spec("{pfc: [3], dscp: {26: 3}}");
  const Outcome outcome = apply(doors, wish_for(text), deaf());
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_NE(ice.dcb(netdev)->classes, before.classes) << "the driver made them anew";
  EXPECT_TRUE(gap_of(text, of_driver("ice", with(*ice.dcb(netdev)))).in_sync());
  const Outcome back = rollback(doors, false, deaf());
  EXPECT_EQ(back.code, ExitCode::done) << back.message;
  EXPECT_EQ(ice.dcb(netdev), before);
}

TEST(QosPort, ClassesThatTheDriverMakesAreBlocked) {
  const HostModel model = of_driver("ice", with_classes(classes_of_vendor()));
  for (const char* qos : {"{pfc: [4], classes: {0: 100%}}", "{pfc: [4], priorities: {3: 0}}"}) {
    const Gap gap = gap_of(spec(qos), model);
    EXPECT_EQ(gap.blocked,
              "ice sets its traffic classes itself when the trust changes: rdmastate does not set them (take "
              "priorities and classes out)");
    EXPECT_EQ(gap.never, (std::vector<std::string_view>{"priorities", "classes"}));
    EXPECT_TRUE(gap.move) << "pfc goes on";
  }
  HostModel one = model;
  one.find(netdev)->dcb->flow_control->most = 1;
  one.find(netdev)->dcb->classes->class_of.fill(0);
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4]}"), one).never) << "each priority counts as a class";
}

}  // namespace
}  // namespace rdmastate
