// SPDX-License-Identifier: Apache-2.0
// Priorities of a port: only what differs is set, and what is set bounces the link.
#include <gtest/gtest.h>

#include <cerrno>

#include "apply/run.hpp"
#include "apply/undo.hpp"
#include "resources/qos_port/qos_port.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string netdev = "enp129s0d1";

std::string spec(const std::string& qos, const std::string& number = "2") {
  return "version: 1\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n    ports: {" + number +
         ": {qos: " + qos + "}}\n";
}

HostModel with(const DcbState& state) {
  HostModel model = guide_model();
  model.find(netdev)->dcb = state;
  return model;
}

HostModel of_driver(const std::string& driver, HostModel model) {
  for (auto& device : model.devices) device.driver = driver;
  return model;
}

DcbState state_of(std::uint8_t pfc, std::set<DscpEntry> dscp) { return {FlowControl{pfc, 8, 0, 7}, std::move(dscp)}; }

Gap gap_of(const std::string& text, HostModel model) {
  RecordedHost host(std::move(model));
  const Plan plan = plan_spec(host, text);
  for (const auto& item : plan.items)
    if (item.kind == &qos_port_kind) return item.gap;
  return {};
}

/// As mlx5's driver begins: all classes are the vendor's.
TrafficClasses classes_of_vendor() {
  TrafficClasses classes;
  classes.most = 8;
  classes.selection.fill(TrafficClasses::vendor);
  classes.bandwidth.fill(100);
  classes.class_of = {1, 0, 2, 3, 4, 5, 6, 7};
  return classes;
}

/// The sets that an apply of this spec sends to the driver.
std::vector<std::string> sets(RecordedHost& host, const std::string& text) {
  const std::size_t before = host.calls().size();
  const Outcome outcome = apply_spec(host, text);
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  std::vector<std::string> found;
  for (std::size_t i = before; i < host.calls().size(); ++i)
    if (host.calls()[i].find(netdev) != std::string::npos) found.push_back(host.calls()[i]);
  return found;
}

TEST(QosPort, OnlyWhatDiffersIsSet) {
  RecordedHost host(with(state_of(0x08, {{26, 3}, {46, 6}})));
  EXPECT_TRUE(sets(host, spec("{trust: dscp, pfc: [3], dscp: {26: 3}}")).empty());
  EXPECT_EQ(sets(host, spec("{pfc: [3], dscp: {26: 4}}")),
            std::vector<std::string>{"mapping DSCP 26 to priority 4 on enp129s0d1"});
  EXPECT_EQ(host.model().find(netdev)->dcb, state_of(0x08, {{26, 4}, {46, 6}}));
  EXPECT_EQ(sets(host, spec("{pfc: [4, 3]}")),
            std::vector<std::string>{"setting priority flow control (PFC) on enp129s0d1"});
  EXPECT_EQ(host.model().find(netdev)->dcb, state_of(0x18, {{26, 4}, {46, 6}}));
  EXPECT_TRUE(sets(host, spec("{pfc: [4, 3]}")).empty());
  EXPECT_EQ(sets(host, spec("{pfc: []}")).size(), 1U);
  EXPECT_EQ(host.model().find(netdev)->dcb->flow_control->priorities, 0);
}

TEST(QosPort, TrustFollowsTheTable) {
  RecordedHost host(with(state_of(0, {{26, 3}, {46, 6}})));
  EXPECT_EQ(sets(host, spec("{trust: pcp}")).size(), 2U);
  EXPECT_TRUE(host.model().find(netdev)->dcb->dscp.empty());
  EXPECT_EQ(gap_of(spec("{trust: dscp}"), with(state_of(0, {}))).blocked,
            "enp129s0d1 trusts DSCP while its table gives one a priority, and it is empty: name one in dscp");
}

TEST(QosPort, ABounceIsSaid) {
  const auto disruption = [](const std::string& qos, const std::string& driver = "mlx5_core") {
    DcbState state = state_of(0x08, {{26, 3}});
    state.classes = classes_of_vendor();
    RecordedHost host(of_driver(driver, with(state)));
    const Plan plan = plan_spec(host, spec(qos));
    const auto item =
        std::find_if(plan.items.begin(), plan.items.end(), [](const Item& i) { return i.kind == &qos_port_kind; });
    return item->disruption;
  };
  EXPECT_EQ(disruption("{pfc: [4]}"), Disruption::link);
  EXPECT_EQ(disruption("{trust: pcp}"), Disruption::link);
  EXPECT_EQ(disruption("{dscp: {46: 6}}"), Disruption::none);
  EXPECT_EQ(disruption("{dscp: {46: 6}}", "ice"), Disruption::link);
  EXPECT_EQ(disruption("{priorities: {3: 2}}"), Disruption::link);
  EXPECT_EQ(disruption("{classes: {3: strict}}"), Disruption::link);
}

TEST(QosPort, WhatCannotBeHadIsBlocked) {
  EXPECT_EQ(
      gap_of(spec("{pfc: [3]}", "1"), guide_model()).blocked,
      "mlx4_1 port 1 has link layer infiniband: qos needs an Ethernet port (remove qos from the spec, or change the port's "
      "link type)");
  EXPECT_EQ(gap_of(spec("{pfc: [3]}", "3"), guide_model()).blocked, "mlx4_1 has no port 3 (ports: 1, 2)");
  HostModel model = guide_model();
  model.find(netdev)->dcb.reset();
  EXPECT_EQ(gap_of(spec("{pfc: [3]}"), model).blocked,
            "the driver of enp129s0d1 (mlx4_1 port 2) has no DCB: priorities cannot be set on it");
  model.netdevs.clear();
  EXPECT_EQ(gap_of(spec("{pfc: [3]}"), model).blocked,
            "mlx4_1 port 2 has no network device in this network namespace, and priorities are set on that");
  EXPECT_EQ(gap_of(spec("{pfc: [3]}"), with({std::nullopt, {}})).blocked,
            "the driver of enp129s0d1 has no priority flow control: take pfc out");
}

TEST(QosPort, FlowControlCountsTrafficClasses) {
  const std::string many =
      "enp129s0d1 can have flow control in 1 traffic class at a time, and these priorities are in 2: name fewer in "
      "pfc, or put them into one class (priorities)";
  const Gap alone = gap_of(spec("{pfc: [3, 4]}"), with({FlowControl{0, 1, 0, 0}, {}}));
  EXPECT_EQ(alone.blocked, many);
  EXPECT_EQ(alone.never, std::vector<std::string_view>{"pfc"}) << "each priority is a class of its own";
  DcbState state = state_of(0, {});
  state.flow_control->most = 1;
  state.classes = classes_of_vendor();
  const Gap gap = gap_of(spec("{pfc: [3, 4]}"), with(state));
  EXPECT_EQ(gap.blocked, many);
  EXPECT_FALSE(gap.never) << "somebody may put both into one class";
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4], priorities: {3: 2, 4: 2}}"), with(state)).blocked.empty());
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4], priorities: {3: 4}}"), with(state)).blocked.empty());
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4], priorities: {3: 2, 4: 3}}"), with(state)).never);
  state.classes->class_of.fill(0);
  EXPECT_TRUE(gap_of(spec("{pfc: [3, 4]}"), with(state)).blocked.empty());
  state.flow_control->priorities = 0x18;
  const Gap apart = gap_of(spec("{priorities: {3: 3}}"), with(state));
  EXPECT_EQ(apart.blocked, many);
  EXPECT_FALSE(apart.move);
  EXPECT_FALSE(gap_of(spec("{priorities: {3: 3}, classes: {3: 100%}}"), with(state)).move) << "classes do not go alone";
}

TEST(QosPort, IsTakenBack) {
  const DcbState before = state_of(0x02, {{26, 1}, {48, 6}});
  RecordedHost host(with(before));
  apply_spec(host, spec("{trust: dscp, pfc: [3], dscp: {26: 3, 46: 5}}"));
  EXPECT_EQ(host.model().find(netdev)->dcb, state_of(0x08, {{26, 3}, {46, 5}, {48, 6}}));
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(host.model().find(netdev)->dcb, before);
}

HostModel with_classes(const TrafficClasses& classes) {
  DcbState state = state_of(0x08, {});
  state.classes = classes;
  return with(state);
}

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
class LikeIce final : public Dcb {
 public:
  explicit LikeIce(Dcb& recorded) : recorded_(recorded) { classes_.most = 8; }
  std::optional<DcbState> dcb(const std::string& name) override {
    auto state = recorded_.dcb(name);
    if (state) state->classes = classes_;
    return state;
  }
  std::optional<PauseState> pause(const std::string& name) override { return recorded_.pause(name); }
  void set_flow_control(const std::string& name, const FlowControl& wanted) override {
    recorded_.set_flow_control(name, wanted);
  }
  void set_classes(const std::string&, const TrafficClasses& wanted) override { classes_ = wanted; }
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

TEST(QosPort, ClassesComeBeforeFlowControl) {
  RecordedHost host(with_classes(classes_of_vendor()));
  EXPECT_EQ(sets(host, spec("{pfc: [4], classes: {0: 100%}}")),
            (std::vector<std::string>{"setting traffic classes (ETS) on enp129s0d1",
                                      "setting priority flow control (PFC) on enp129s0d1"}));
}

TEST(QosPort, AFirmwareThatNegotiatesIsTheOwner) {
  DcbState state = state_of(0x08, {});
  state.dcbx = DcbxMode{0x0a};
  const Gap gap = gap_of(spec("{pfc: [4]}"), with(state));
  EXPECT_EQ(
      gap.blocked,
      "the firmware of mlx4_1 may negotiate the priorities of enp129s0d1 with the switch (DCBX), and overwrite what "
      "is set: turn that off with the vendor's tool of mlx4_1");
  EXPECT_FALSE(gap.move);
  EXPECT_FALSE(gap.never);
  EXPECT_TRUE(gap_of(spec("{pfc: [3]}"), with(state)).in_sync()) << "what is as asked is nobody's fault";
  HostModel model = with(state);
  for (auto& device : model.devices) device.driver = "mlx5_core";
  const std::string mlx5 =
      "the firmware of mlx4_1 may negotiate the priorities of enp129s0d1 with the switch (DCBX), and overwrite what "
      "is set: `dcb dcbx set dev enp129s0d1 host ieee` gives them to the host now, and mlxconfig's LLDP_NB_DCBX_P1=0 "
      "(or _P2) from the firmware's next reset on";
  EXPECT_EQ(gap_of(spec("{pfc: [4]}"), model).blocked, mlx5);
  model.find(netdev)->dcb->dcbx = DcbxMode{0};
  EXPECT_EQ(gap_of(spec("{pfc: [4]}"), model).blocked, mlx5) << "no bit is left";
  for (auto& device : model.devices) device.driver = "mlx4_core";
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), model).move);
}

TEST(QosPort, LldpadIsTheOwnerWhileItRuns) {
  HostModel model = with(state_of(0x08, {}));
  model.systemd.emplace();
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), model).move);
  model.systemd->units["lldpad.service"] = {800};
  const Gap gap = gap_of(spec("{pfc: [4]}"), model);
  EXPECT_EQ(gap.blocked,
            "lldpad negotiates the priorities of enp129s0d1 with the switch (DCBX), and may overwrite what is set: set "
            "them with lldptool, or turn it off: `systemctl disable --now lldpad.service lldpad.socket`");
  EXPECT_FALSE(gap.move);
}

const std::string units = "/usr/lib/systemd/system/";
const std::string wants = "/etc/systemd/system/";

void put(HostModel& model, const std::string& path, const std::string& bytes, FileType type = FileType::regular) {
  FileContent& file = model.files[path];
  file.meta.type = type;
  file.bytes = bytes;
  add_parents(model.files);
}

/// A host where lldpad is installed; systemd answers nobody there, as at a boot.
HostModel with_lldpad() {
  HostModel model = with(state_of(0x08, {}));
  model.systemd.reset();
  for (const char* name : {"lldpad.service", "lldpad.socket"}) put(model, units + name, "[Unit]\n");
  return model;
}

HostModel linked(HostModel model, const std::string& path, const std::string& target) {
  put(model, wants + path, target, FileType::symlink);
  return model;
}

TEST(QosPort, LldpadIsTheOwnerWhereItStartsAtBoot) {
  const std::string enabled =
      "lldpad is enabled: once started it negotiates the priorities of enp129s0d1 with the switch (DCBX), and may "
      "overwrite what is set: set them with lldptool, or turn it off: `systemctl disable --now lldpad.service "
      "lldpad.socket`";
  const auto blocked = [](const HostModel& model) { return gap_of(spec("{pfc: [4]}"), model).blocked; };
  const HostModel by_service =
      linked(with_lldpad(), "multi-user.target.wants/lldpad.service", units + "lldpad.service");
  const HostModel by_socket = linked(with_lldpad(), "sockets.target.wants/lldpad.socket", units + "lldpad.socket");
  EXPECT_EQ(blocked(by_service), enabled);
  EXPECT_EQ(blocked(by_socket), enabled);
  EXPECT_EQ(blocked(linked(by_socket, "lldpad.service", "/dev/null")), "") << "the socket's service is masked";
  EXPECT_EQ(blocked(linked(by_socket, "lldpad.socket", "/dev/null")), "");
  HostModel answering = by_service;
  answering.systemd.emplace();
  EXPECT_EQ(blocked(answering), enabled);
}

TEST(QosPort, LldpadThatIsNotEnabledIsSeenByItsGroupWhereSystemdIsSilent) {
  HostModel model = with_lldpad();
  const Gap silent = gap_of(spec("{pfc: [4]}"), model);
  EXPECT_EQ(
      silent.unseen,
      "whether lldpad runs, and negotiates the priorities of enp129s0d1, is not seen: systemd does not answer here");
  EXPECT_FALSE(silent.move);
  HostModel answering = model;
  answering.systemd.emplace();
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), answering).move);
  put(model, "/sys/fs/cgroup/system.slice/cgroup.procs", "");
  EXPECT_TRUE(gap_of(spec("{pfc: [4]}"), model).move) << "a boot, before D-Bus runs";
  put(model, "/sys/fs/cgroup/system.slice/lldpad.service/cgroup.procs", "800\n");
  EXPECT_EQ(gap_of(spec("{pfc: [4]}"), model).blocked.substr(0, 17), "lldpad negotiates");
}

TEST(QosPort, TheWayToTheHostIsNotBounced) {
  HostModel model = guide_model();
  model.netdevs[{"mlx4_1", 2}] = "enp1s0";
  model.find("enp1s0")->dcb = state_of(0, {});
  RecordedHost host(model);
  EXPECT_EQ(apply_spec(host, spec("{pfc: [3]}")).code, ExitCode::refused);
}

}  // namespace
}  // namespace rdmastate
