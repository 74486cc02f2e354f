// SPDX-License-Identifier: Apache-2.0
// A host's own spec changes nothing there: what rdmastate made is planned to nothing at all, what others made to the
// files that keep it.
#include "plan/print.hpp"
#include "sections/adopt.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

std::string adopted(RecordedHost& host) {
  Host doors = host.host();
  const Snapshot snapshot(doors);
  return adopted_text(adopt(snapshot, read_facts(snapshot)), Comments::sources);
}

std::string told(const std::string& spec, const Plan& plan) { return spec + plan_text(plan, Paint(false)); }

bool moves_something_live(const Plan& plan) {
  return std::any_of(plan.items.begin(), plan.items.end(),
                     [](const Item& item) { return item.has_step() && !item.kind->durable; });
}

TEST(Adopt, AHostThatRdmastateMadePlansToNothing) {
  for_all("plan(adopt(apply(spec))) is empty", [](Case& drawn) {
    const auto spec = any_spec(drawn);
    RecordedHost host(guide_model());
    const Outcome outcome = apply_spec(host, spec.text());
    assume(outcome.code == ExitCode::done);
    const std::string text = adopted(host);
    const Plan plan = plan_spec(host, text);
    if (!plan.is_empty() || plan.has_more_rounds()) falsify(spec.text() + "---\n" + told(text, plan));
  });
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
