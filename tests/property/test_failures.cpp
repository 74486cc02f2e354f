// SPDX-License-Identifier: Apache-2.0
// Whatever call fails, before or after it took effect, the host ends as it was, or as the spec says.
#include <fmt/format.h>
#include <cerrno>

#include "base/error.hpp"
#include "base/textdiff.hpp"
#include "property/rich.hpp"

namespace rdmastate {
namespace {

// One apply whose n-th moving call fails; what went wrong with that, or nothing. `beyond`: no call was that late.
std::string trouble(const HostModel& start, const std::string& spec, std::size_t n, When when, bool& beyond,
                    const PlanOptions& options = {}) {
  RecordedHost host(start);
  const std::string before = seen(host);
  const std::size_t moves = host.moves();
  host.fail_call(n, EIO, when);
  std::string said;
  ExitCode code = ExitCode::could_not;
  try {
    const Outcome outcome = apply_spec(host, spec, options);
    code = outcome.code;
    said = outcome.message;
  } catch (const Error& error) {  // before there was a run: nothing may have moved
    said = error.what();
  }
  beyond = host.moves() - moves < n;
  host.clear_orders();
  const auto tell = [&](const std::string& what) {
    return fmt::format("{}: call {} failed {} it took effect; exit {}: {}\n{}", what, n,
                       when == When::before ? "before" : "after", static_cast<int>(code), said, calls_of(host, moves));
  };
  if (beyond) return {};
  if (code == ExitCode::done) return {};  // a call whose failure may be borne, such as tidying old runs
  if (code == ExitCode::failed_dirty) return tell("it ended dirty");
  if (seen(host) != before) return tell("the host is not as it was") + unified_diff(before, seen(host));
  if (n % 7 != 0) return {};  // a second try costs as much as the first
  RecordedHost again(host.model());
  try {
    const Outcome outcome = apply_spec(again, spec, options);
    if (outcome.code != ExitCode::done && outcome.code != ExitCode::could_not)
      return tell("a second try ends with " + outcome.message);
  } catch (const Error& error) {
    return tell(std::string("a second try throws ") + error.what());
  }
  return {};
}

class Failures : public testing::TestWithParam<RichCase> {};

TEST_P(Failures, AnyCallThenTheHostIsAsBefore) {
  RecordedHost host = rich_host(GetParam());
  const HostModel start = host.model();
  RecordedHost unharmed(start);
  ASSERT_EQ(apply_spec(unharmed, GetParam().spec, options_of(GetParam())).code, ExitCode::done)
      << "a case that does nothing proves nothing";
  for (const When when : {When::before, When::after}) {
    bool beyond = false;
    for (std::size_t n = 1; !beyond; ++n) {
      const std::string what = trouble(start, GetParam().spec, n, when, beyond, options_of(GetParam()));
      ASSERT_EQ(what, "");
      ASSERT_LT(n, 1000U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rich, Failures, testing::ValuesIn(rich_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Failures, AnyCallOfAnySpec) {
  for_all("fail anywhere, undo restores", [](Case& drawn) {
    const auto spec = any_spec(drawn);
    const auto host = any_host(drawn);
    const auto n = static_cast<std::size_t>(drawn.number(1, 60));
    const auto when = any_when(drawn);
    bool beyond = false;
    const std::string what = trouble(host.model(), spec.text(), n, when, beyond);
    if (!what.empty()) falsify(what);
  });
}

}  // namespace
}  // namespace rdmastate
