// SPDX-License-Identifier: Apache-2.0
// Every check finds what it is for, and nothing else; on healthy hosts none finds anything that is wrong.
#include <set>

#include "fixes.hpp"
#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

std::vector<Illness> all_illnesses() {
  std::vector<Illness> all;
  for (const auto& family : {adapter_illnesses(), verbs_illnesses(), fabric_illnesses(), ethernet_illnesses(),
                             service_illnesses(), firewall_illnesses()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

bool has(const Diagnosis& look, std::string_view id) {
  return std::any_of(look.findings.begin(), look.findings.end(), [&](const Finding& one) { return one.id == id; });
}

/// Checks that need more than one look are found in these.
std::vector<Diagnosis> all_looks() {
  std::vector<Diagnosis> all;
  for (auto&& looks : {counter_looks(), message_looks(), peer_looks(), spec_looks()})
    all.insert(all.end(), looks.begin(), looks.end());
  return all;
}

class Doctor : public testing::TestWithParam<Illness> {};

std::vector<Illness> all_healths() {
  std::vector<Illness> all = service_healths();
  for (const auto& more : {fabric_healths(), verbs_healths(), firewall_healths()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

TEST_P(Doctor, FindsThisAndNothingElse) {
  const Illness& illness = GetParam();
  HostModel model = example(illness.host);
  const Diagnosis well = diagnosis_of(model);
  illness.change(model);
  const Diagnosis ill = diagnosis_of(model);
  const auto found = added(well, ill);
  ASSERT_EQ(found.size(), 1U) << testing::PrintToString(found);
  EXPECT_EQ(found[0].id, illness.id) << found[0];
  EXPECT_EQ(found[0].severity, illness.severity);
  EXPECT_EQ(found[0].subject.name, illness.subject);
  EXPECT_FALSE(found[0].symptom.empty() || found[0].cause.empty() || found[0].fix.empty()) << found[0];
  EXPECT_FALSE(found[0].evidence.empty()) << found[0];
  const std::string said = found[0].symptom + " " + found[0].cause + " " + found[0].fix;
  EXPECT_NE(said.find(illness.hint), std::string::npos) << said;
  EXPECT_EQ(why_refused(found[0].fix), "") << found[0].fix;
  if (illness.cure == nullptr) return;
  HostModel cured = model;
  illness.cure(cured);
  for (const auto& [path, file] : model.files) EXPECT_TRUE(cured.files.contains(path)) << path;
  const auto left = added(well, diagnosis_of(cured));
  EXPECT_TRUE(left.empty()) << testing::PrintToString(left);
}

INSTANTIATE_TEST_SUITE_P(Checks, Doctor, testing::ValuesIn(all_illnesses()), [](const auto& one) {
  std::string name = one.param.id + std::to_string(one.index);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(DoctorChecks, EachIsProvokedOnce) {
  std::set<std::string> provoked;
  for (const auto& illness : all_illnesses()) provoked.insert(illness.id);
  for (const auto& look : all_looks())
    for (const auto& finding : look.findings) provoked.insert(finding.id);
  for (const Check* check : all_checks()) EXPECT_TRUE(provoked.contains(std::string(check->id))) << check->id;
}

// A check that has never seen its data in good order may alarm there.
TEST(DoctorChecks, EachIsSilentOnceWhereItsDataIsThereAndRight) {
  std::set<std::string_view> silent;
  for (const auto& illness : all_illnesses())
    if (illness.cure != nullptr) silent.insert(check_named(illness.id)->id);
  for (const auto& look : all_looks())
    for (const auto& id : look.looked)
      if (check_named(id)->looks != Looks::one && !has(look, id)) silent.insert(id);
  for (const Check* check : all_checks()) EXPECT_TRUE(silent.contains(check->id)) << check->id;
}

TEST(DoctorChecks, LinesOfASpecInFixesAreTakenByASpec) {
  for (const auto& look : all_looks())
    for (const auto& finding : look.findings) EXPECT_EQ(why_refused(finding.fix), "") << finding.fix;
  EXPECT_NE(why_refused("Where this host is to run it: subnet_manager: {run: true}."), "");
  EXPECT_NE(why_refused("subnet_manager.partitions: [{name: a, pkey: 0xffff, mtu: 4096, members: {ALL: full}}]"), "");
  EXPECT_NE(why_refused("devices.ports.roce: {default_mode: v1}"), "");
  EXPECT_NE(why_refused("See memlock.bytes."), "");
}

TEST(DoctorChecks, AreWholeAndNamedOnce) {
  std::set<std::string_view> ids;
  for (const Check* check : all_checks()) {
    EXPECT_TRUE(ids.insert(check->id).second) << check->id;
    EXPECT_EQ(check->id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos)
        << check->id;
    EXPECT_FALSE(check->title.empty() || check->title.ends_with('.')) << check->id;
    EXPECT_TRUE(check->text.size() > 100 && check->text.ends_with('.')) << check->id;
    EXPECT_EQ(check_named(check->id), check);
  }
  EXPECT_EQ(check_named("no-such-check"), nullptr);
}

TEST(DoctorChecks, SayNothingIllOfHealthyHosts) {
  const auto names = example_names();
  ASSERT_GE(names.size(), 8U);
  for (const auto& name : names)
    for (const auto& finding : diagnosis_of(example(name)).findings)
      EXPECT_EQ(finding.severity, Severity::info) << name << ": " << finding;
}

TEST(DoctorChecks, SayNothingOfWhatIsRight) {
  for (const auto& health : all_healths()) {
    HostModel model = example(health.host);
    const Diagnosis before = diagnosis_of(model);
    health.change(model);
    const auto found = added(before, diagnosis_of(model));
    EXPECT_TRUE(found.empty()) << testing::PrintToString(found);
  }
}

// What every check reads is kept, so that a record is as ill as its host.
TEST(DoctorRecord, IsDiagnosedAsTheHostIs) {
  auto all = all_illnesses();
  for (const auto& health : all_healths()) all.push_back(health);
  for (const auto& illness : all) {
    HostModel model = example(illness.host);
    illness.change(model);
    add_parents(model.files);
    const Diagnosis host = diagnosis_of(model);
    const Diagnosis record = diagnosis_of(record_of_host(model, places()));
    EXPECT_EQ(record.findings, host.findings) << illness;
    EXPECT_EQ(record.unlooked, host.unlooked) << illness;
  }
}

TEST(DoctorRecord, WhatItDoesNotHoldIsUnseenAndNoFinding) {
  HostModel model = example("storage");
  for (const auto& illness : verbs_illnesses())
    if (illness.id == "provider-missing") illness.change(model);
  ASSERT_EQ(diagnosis_of(model).count(Severity::error), 1U);
  const Diagnosis blind = diagnosis_of(record_of_host(model, {}));
  EXPECT_EQ(blind.count(Severity::error), 0U);
  const auto unseen = std::find_if(blind.unlooked.begin(), blind.unlooked.end(),
                                   [](const Unlooked& one) { return one.id == "provider-missing"; });
  ASSERT_NE(unseen, blind.unlooked.end());
  EXPECT_EQ(unseen->reason, "make the record anew, as root");
}

}  // namespace
}  // namespace rdmastate::doctor
