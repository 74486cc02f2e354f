// SPDX-License-Identifier: Apache-2.0
// Applied once, a spec is true; applied again, nothing moves; applied after another one, that one leaves no trace.
#include <fmt/format.h>
#include "plan/print.hpp"
#include "support/random_spec.hpp"

namespace rdmastate {
namespace {

std::string left_over(const Plan& plan) {
  std::string text = plan_text(plan, Paint(false));
  for (const auto& refusal : plan.refused()) text += refusal + "\n";
  return text;
}

// Blocked (exit 1) is an answer: not every spec can be had on every host.
void expect_applied(const Outcome& outcome) {
  if (outcome.code != ExitCode::done && outcome.code != ExitCode::could_not)
    falsify(fmt::format("exit {}: {}", static_cast<int>(outcome.code), outcome.message));
}

TEST(Settles, AppliedTwiceTheSecondMovesNothing) {
  for_all("apply, then plan is empty and apply is silent", [](Case& drawn) {
    const auto spec = any_spec(drawn);
    RecordedHost host(any_host(drawn).model());
    expect_applied(apply_spec(host, spec.text()));
    const Plan plan = plan_spec(host, spec.text());
    if (!plan.is_empty() || plan.has_more_rounds()) falsify(left_over(plan));
    const std::string before = host.to_json();
    const std::size_t moves = host.moves();
    expect_applied(apply_spec(host, spec.text()));
    must(host.moves() == moves, "the second apply moves nothing");
    must(host.to_json() == before, "the second apply leaves the host as it is");
  });
}

TEST(Settles, WhatTheSpecSaysDoesNotDependOnWhatWasBefore) {
  for_all("apply A, apply B, apply A gives what A gave", [](Case& drawn) {
    const auto first = any_spec(drawn);
    const auto second = any_spec(drawn);
    const auto start = any_host(drawn).model();
    RecordedHost host(start);
    expect_applied(apply_spec(host, first.text(), {.allow_fabric = true}));
    expect_applied(apply_spec(host, second.text(), {.allow_fabric = true}));
    const Outcome last = apply_spec(host, first.text(), {.allow_fabric = true});
    expect_applied(last);
    const Plan plan = plan_spec(host, first.text());
    if (!plan.is_empty() || plan.has_more_rounds()) falsify(left_over(plan));
  });
}

// What was made: files, children, addresses and routes. Changed attributes and loaded modules are released, not undone.
struct Made {
  std::set<std::string> files, children, addresses, routes;
  bool operator==(const Made&) const = default;
};

Made made_on(RecordedHost& host) {
  Made made;
  for (const auto& [path, file] : host.model().files)
    if (!path.starts_with("/var/lib/rdmastate") && !path.starts_with("/etc/rdmastate") &&
        !path.starts_with("/proc/self"))  // what is mounted stays until it is unmounted
      made.files.insert(path);
  Host doors = host.host();
  std::map<std::uint32_t, std::string> keys;
  for (const auto& link : doors.links->dump()) {
    keys[link.index] =
        link.is_child() ? fmt::format("{} of {}", to_text(link.ipoib->pkey), link.parent) : std::to_string(link.index);
    if (link.is_child()) made.children.insert(keys[link.index]);
  }
  for (const auto& one : doors.links->addresses(0))
    if (one.value.address.family == Family::v4 || one.value.address.bytes[0] != 0xfe)
      made.addresses.insert(keys[one.link] + " " + to_text(one.value));
  for (const auto& one : doors.links->routes(0))
    if (one.protocol != 2) made.routes.insert(keys[one.link] + " " + to_text(one.to));
  return made;
}

std::string show(const Made& made) {
  return fmt::format("files {}\nchildren {}\naddresses {}\nroutes {}", fmt::join(made.files, " "),
                     fmt::join(made.children, ", "), fmt::join(made.addresses, ", "), fmt::join(made.routes, ", "));
}

TEST(Settles, AnEmptySpecRemovesAllThatWasMade) {
  for_all("apply A, apply nothing: all that A made is gone, all of others is there", [](Case& drawn) {
    auto spec = any_spec(drawn);
    for (auto& port : spec.ports)
      for (auto& child : port.children) child.absent = false;  // that removes what others made
    const auto start = any_host(drawn);
    assume(!start.serving);  // a server that others started is changed, and released
    assume(!start.child);    // a child that others made is changed, and its attributes are released
    RecordedHost host(start.model());
    RecordedHost twin(start.model());
    if (spec.with_ipoib && !start.loaded) twin.host().modules->load({"ib_ipoib"});
    const Made before = made_on(twin);
    expect_applied(apply_spec(host, spec.text()));
    expect_applied(apply_spec(host, "version: 1\n", {.allow_fabric = true}));
    const Made after = made_on(host);
    if (!(after == before)) falsify("before:\n" + show(before) + "\nafter:\n" + show(after));
    must(plan_spec(host, "version: 1\n").is_empty(), "nothing is left to remove");
  });
}

}  // namespace
}  // namespace rdmastate
