// SPDX-License-Identifier: Apache-2.0
// A host's own spec changes nothing there: what rdmastate made is planned to nothing at all, what others made to the
// files that keep it.
#include "plan/applied.hpp"
#include "plan/print.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

constexpr const char* ledger = "/etc/rdmastate/ledger.json";
constexpr const char* kept = "/etc/rdmastate/applied.yaml";

// What may become of what rdmastate keeps, with the host as it is.
void lose(HostModel& model, int what) {
  if (what == 1) model.files.erase(kept);
  if (what == 2) model.files.erase(ledger);
  const auto file = model.files.find(kept);
  if (what == 3 && file != model.files.end()) file->second.bytes.resize(file->second.bytes.size() / 2);
  if (what == 4 && file != model.files.end()) file->second.bytes = "version: 1\n";
}

std::string told(const std::string& spec, const Plan& plan) { return spec + plan_text(plan, Paint(false)); }

bool moves_something_live(const Plan& plan) {
  return std::any_of(plan.items.begin(), plan.items.end(),
                     [](const Item& item) { return item.has_step() && !item.kind->durable; });
}

TEST(Adopt, AHostThatRdmastateMadePlansToNothing) {
  for_all("plan(adopt(apply(spec))) is empty, with what is kept of it or without", [](Case& drawn) {
    const auto spec = any_spec(drawn);
    RecordedHost host(guide_model());
    const Outcome outcome = apply_spec(host, spec.text());
    assume(outcome.code == ExitCode::done);
    lose(host.model(), drawn.number(0, 5));
    const std::string text = adopted(host);
    const Plan plan = plan_spec(host, text);
    if (!plan.is_empty() || plan.has_more_rounds()) falsify(spec.text() + "---\n" + told(text, plan));
  });
}

// What is live of it is told as it is then; the files that bring it back follow.
TEST(Adopt, WhatWasChangedByHandIsToldAsItIs) {
  for_all("plan(adopt(host)) of a host that rdmastate made, and somebody changed, moves files alone", [](Case& drawn) {
    const auto spec = any_spec(drawn);
    RecordedHost host(guide_model());
    assume(apply_spec(host, spec.text()).code == ExitCode::done);
    lose(host.model(), drawn.number(0, 2));
    std::vector<Link*> links;
    for (auto& [index, one] : host.model().links)
      if (one.link.is_ipoib() && one.link.up) links.push_back(&one.link);
    if (!links.empty()) {  // a case without interfaces has to hold all the same
      Link& link = *links[drawn.index(links.size())];
      link.mtu = link.mtu == 2044 ? 2040 : 2044;
    }
    const std::string text = adopted(host);
    const Plan plan = plan_spec(host, text);
    if (moves_something_live(plan) || !plan.refusals.empty()) falsify(spec.text() + "---\n" + told(text, plan));
    const Outcome outcome = apply_spec(host, text);
    const bool is_applied =
        outcome.code == ExitCode::done || outcome.code == ExitCode::could_not;  // what may be missing is required then
    if (!is_applied) falsify(told(text, plan) + "---\n" + outcome.message + "\n" + told("", outcome.last));
    const std::string again = adopted(host);
    if (const Plan none = plan_spec(host, again); !none.is_empty()) falsify(told(again, none));
  });
}

const std::string with_classes =
    "version: 1\ndevices:\n  - match: {node_guid: \"f452:1403:007b:cba0\"}\n"
    "    ports: {2: {qos: {classes: {0: 40%, 3: 60%, 6: strict}}}}\n";

// What is adopted of a host with those classes, of which somebody changed the bandwidth.
std::string adopted_with(RecordedHost& host, const TrafficClasses::Eight& bandwidth) {
  EXPECT_EQ(apply_spec(host, with_classes).code, ExitCode::done);
  TrafficClasses& classes = *host.model().find("enp129s0d1")->dcb->classes;
  classes.selection[5] = TrafficClasses::shared;
  classes.bandwidth = bandwidth;
  host.model().files.erase(kept);
  return adopted(host);
}

// A spec whose percentages are not 100 together would be refused.
TEST(Adopt, AClassOfOthersComesWithItsPartOfTheHundred) {
  RecordedHost host(guide_model());
  const std::string text = adopted_with(host, {40, 100, 100, 30, 100, 30, 100, 100});
  const auto at = text.find("classes:");
  ASSERT_NE(at, std::string::npos) << text;
  for (const char* line : {"0: \"40%\"", "3: \"30%\"", "5: \"30%\"", "6: strict"})
    EXPECT_NE(text.find(line, at), std::string::npos) << line << " in " << text;
  EXPECT_FALSE(moves_something_live(plan_spec(host, text)));
}

TEST(Adopt, PercentagesThatNoSpecMayHaveAreLeftOut) {
  RecordedHost host(guide_model());
  const std::string text = adopted_with(host, {100, 100, 100, 100, 100, 100, 100, 100});
  EXPECT_NE(text.find("6: strict"), std::string::npos) << text;
  EXPECT_EQ(text.find('%', text.find("qos:")), std::string::npos) << text;
  EXPECT_FALSE(moves_something_live(plan_spec(host, text)));
}

TEST(Adopt, OfWhatOthersMadeNothingLiveIsMoved) {
  for_all("plan(adopt(host)) moves files alone, and after its apply adopts to nothing", [](Case& drawn) {
    RecordedHost host(any_host(drawn).model());
    const std::string text = adopted(host);
    const Plan plan = plan_spec(host, text);
    if (moves_something_live(plan) || !plan.refusals.empty() || plan.has_more_rounds()) falsify(told(text, plan));
    must(apply_spec(host, text).code == ExitCode::done, "what is adopted can be applied");
    const std::string again = adopted(host);
    const Plan none = plan_spec(host, again);
    if (!none.is_empty()) falsify(told(again, none));
  });
}

}  // namespace
}  // namespace rdmastate
