// SPDX-License-Identifier: Apache-2.0
// A process has the limit that its unit had at its start. So a step restarts the service where --restart names it; else
// the gap is pending until the service is started anew, and until what a restart left running has ended.
#include "resources/service_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "host/recorded/model.hpp"
#include "resources/login_limit/user_manager.hpp"

namespace rdmastate {
namespace {

using namespace std::chrono_literals;

ServiceLimitState state_of_limit(const MemlockLimit& limit) { return {limit.soft, limit.hard}; }

bool is_template(std::string_view unit) { return unit.ends_with("@.service"); }

// "user@1000.service" of "user@.service".
bool is_instance(std::string_view unit, std::string_view of) {
  const std::string_view stem = of.substr(0, of.size() - std::string_view(".service").size());
  return unit.starts_with(stem) && unit != of;
}

// The unit itself, or the instances that run.
std::vector<std::string> units_of(const Snapshot& snapshot, const std::string& key) {
  if (!is_template(key)) return {key};
  std::vector<std::string> instances = snapshot.services();
  std::erase_if(instances, [&](const std::string& unit) { return !is_instance(unit, key); });
  return instances;
}

// The lowest limit that one of these units has; nullopt: none of them runs.
std::optional<ServiceLimitState> least_of(const Snapshot& snapshot, const std::vector<std::string>& units) {
  std::optional<ServiceLimitState> least;
  for (const auto& unit : units) {
    const UnitLook* look = snapshot.unit(unit);
    if (look == nullptr || !look->active || !look->memlock) continue;
    const ServiceLimitState one = state_of_limit(*look->memlock);
    if (!least) least = one;
    least->soft = std::min(least->soft, one.soft);
    least->hard = std::min(least->hard, one.hard);
  }
  return least;
}

Observation service_limit_observe(const Snapshot& snapshot, const std::string& key) {
  if (!snapshot.systemd_answers()) return Absent{};
  const auto least = least_of(snapshot, units_of(snapshot, key));
  if (!least) return Absent{};
  return State(service_limit_kind, *least);
}

std::string limit_text(const ServiceLimitState& limit) {
  return fmt::format("{} (hard {})", to_text(limit.soft), to_text(limit.hard));
}

std::string why_stale(const std::string& key, const ServiceLimitState& present) {
  if (is_template(key))
    return fmt::format(
        "an instance runs with {}: it has the limit when it is started anew, user@.service when its user has logged "
        "out everywhere and logs in again; a user whom /etc/passwd lacks may keep what PAM's systemd-user gives",
        limit_text(present));
  return fmt::format("{} runs with {} until it is started anew: --restart {} does it now", key, limit_text(present),
                     key);
}

// What a restart left running with less than the service has by now; empty: nothing. Instances of a template are not
// asked: rdmastate restarts none.
std::string left_text(const Snapshot& snapshot, const std::string& key) {
  const UnitLook* look = is_template(key) ? nullptr : snapshot.unit(key);
  if (look == nullptr || !look->older) return {};
  const OlderProcesses& older = *look->older;
  const std::string limit = limit_text(state_of_limit(older.memlock));
  if (older.count == 1)
    return fmt::format(
        "1 process of {}, {}, runs since before its last start with {} until it ends, and so does what it "
        "starts",
        key, older.command, limit);
  return fmt::format(
      "{} processes of {}, such as {}, run since before its last start with {} until they end, and so "
      "does what they start",
      older.count, key, older.command, limit);
}

// The lowest limit of the instances for which the template's drop-in counts; nullopt: there are none.
std::optional<State> judged_instances(const Scene& scene, const std::string& key, const ServiceLimitState& wanted) {
  std::vector<std::string> units = units_of(scene.snapshot, key);
  std::erase_if(units, [&](const std::string& unit) {
    return has_limit_of_pam(scene, unit, LoginLimitState{wanted.soft, wanted.hard});
  });
  const auto least = least_of(scene.snapshot, units);
  return least ? std::optional(State(service_limit_kind, *least)) : std::nullopt;
}

Gap service_limit_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  Gap gap;
  std::optional<State> judged;
  if (wanted != nullptr && present != nullptr && is_template(key)) {
    judged = judged_instances(scene, key, wanted->as<ServiceLimitState>());
    present = judged ? &*judged : nullptr;
  }
  if (wanted == nullptr || present == nullptr) return gap;
  if (service_limit_kind.equal(*present, *wanted)) {
    if (std::string left = left_text(scene.snapshot, key); !left.empty()) gap.pending = {std::move(left), Until::unit};
  } else if (!is_template(key) && scene.plan.may_restart(key)) {
    gap.move = Gap::Move{*present, *wanted};
  } else {
    gap.pending = {why_stale(key, present->as<ServiceLimitState>()), Until::unit};
  }
  return gap;
}

Loss service_limit_loses(const Scene& scene, const std::string& key, const State*, const State*) {
  return loss_of_service(scene.snapshot, key);
}

std::vector<Ref> service_limit_needs(const std::string&, const State*) { return {}; }

// Whether the service has started and its main process has the limit.
bool has_limit(Units& units, const std::string& key, const State& wanted) {
  const auto look = units.look(key);
  return look && look->main_pid != 0 && look->memlock &&
         state_of_limit(*look->memlock) == wanted.as<ServiceLimitState>();
}

// A service that forks has its main process a little after its start, so this waits up to 5 s for the limit. Where a
// foreign file sets another limit, the next plan shows it.
void service_limit_move(Tools& tools, const std::string& key, const State*, const State* to) {
  constexpr auto patience = 5s;
  constexpr auto pause = 50ms;
  if (to == nullptr || tools.host.units == nullptr || !tools.host.units->answers()) return;
  Units& units = *tools.host.units;
  const auto look = units.look(key);
  if (!look || !look->active || has_limit(units, key, *to)) return;
  if (look->needs_reload) units.reload();
  units.restart(key);
  const auto until = tools.host.clock.ticks() + patience;
  while (!has_limit(units, key, *to) && tools.host.clock.ticks() < until) tools.host.clock.sleep(pause);
}

// Always: a process that ran with the limit of older files cannot be had again.
bool service_limit_is_back(const State&, const State&) { return true; }

std::string service_limit_title(const std::string& key, const State*) { return fmt::format("of {}", key); }

// Keeps the limits of every service, since a spec may name any.
void service_limit_keep(const Snapshot& snapshot, const Facts&, HostModel& model) {
  if (!model.systemd || !snapshot.systemd_answers()) return;
  for (const auto& unit : snapshot.services()) {
    const UnitLook* look = snapshot.unit(unit);
    if (look != nullptr && look->memlock) model.systemd->units[unit] = recorded_unit(*look);
  }
}

}  // namespace

constinit const Kind service_limit_kind = [] {
  Kind kind = kind_of<ServiceLimitState>("service_limit");
  kind.rank = 62;  // after units' files are read (59) and units start (60)
  kind.reads_others = true;
  kind.observe = service_limit_observe;
  kind.gap = service_limit_gap;
  kind.loses = service_limit_loses;
  kind.needs = service_limit_needs;
  kind.move = service_limit_move;
  kind.is_back = service_limit_is_back;
  kind.title = service_limit_title;
  kind.keep = service_limit_keep;
  return kind;
}();

}  // namespace rdmastate
