// SPDX-License-Identifier: Apache-2.0
// The process dies at any call: rollback in a new process brings the host back, after a reboot what is durable.
#include <fmt/format.h>
#include "apply/run.hpp"
#include "base/error.hpp"
#include "base/textdiff.hpp"
#include "host/recorded/initrds.hpp"
#include "property/rich.hpp"

namespace rdmastate {
namespace {

// The host as a dead apply left it; `beyond` when it was done before its n-th call.
RecordedHost crashed(const HostModel& start, const std::string& spec, std::size_t n, When when, bool& beyond,
                     const PlanOptions& options = {}) {
  RecordedHost host(start);
  host.crash_at(n, when);
  beyond = false;
  try {
    apply_spec(host, spec, options);
    beyond = true;
  } catch (const OrderedCrash&) {
  }
  return RecordedHost::from_json(host.to_json(), "crashed.json");
}

bool has_images(const HostModel& model) {
  return std::any_of(model.files.begin(), model.files.end(),
                     [](const auto& file) { return file.second.bytes.starts_with(initrd_head); });
}

// Takes the newest run back; what stands in the way of that, or nothing. No run, or one that had done nothing, is fine.
std::string take_back(RecordedHost& host) {
  try {
    Host doors = host.host();
    const Outcome outcome = rollback(doors, false, deaf());
    return outcome.code == ExitCode::done ? std::string() : outcome.message;
  } catch (const Error& error) {
    const std::string said = error.what();
    const bool nothing_done =
        said.find("no run") != std::string::npos || said.find("taken back already") != std::string::npos;
    return nothing_done ? std::string() : said;
  }
}

// Only files: what a reboot forgets is another matter.
std::string durable(HostModel model) {
  model.links.clear();
  model.addresses.clear();
  model.routes.clear();
  model.modules = {};
  model.devices.clear();
  model.soft.clear();
  model.netns_mode = NetnsMode::shared;
  model.networkmanager.reset();
  model.networkd = false;
  model.systemd.reset();
  model.nfsd.reset();
  if (model.firewall) model.firewall->zones_of(FirewallStore::runtime).clear();
  model.files.erase("/proc/sys/kernel/random/boot_id");
  model.files.erase("/proc/self/mountinfo");
  model.files.erase("/proc/self");
  std::erase_if(model.files,
                [](const auto& file) { return file.second.meta.type == FileType::other; });  // the kernel's
  return seen(std::move(model));
}

class Crashes : public testing::TestWithParam<RichCase> {};

TEST_P(Crashes, ThenRollbackBringsTheHostBack) {
  RecordedHost host = rich_host(GetParam());
  const HostModel start = host.model();
  for (const When when : {When::before, When::after}) {
    bool beyond = false;
    for (std::size_t n = 1; !beyond; ++n) {
      RecordedHost dead = crashed(start, GetParam().spec, n, when, beyond, options_of(GetParam()));
      if (beyond) break;
      SCOPED_TRACE(fmt::format("died at call {} {}", n, when == When::before ? "before" : "after"));
      if (!GetParam().before.empty() && seen(dead) == seen(start)) continue;  // the newest run may be the one before
      ASSERT_EQ(take_back(dead), "");
      ASSERT_EQ(unified_diff(seen(start), seen(dead)), "");
    }
  }
}

HostModel boots_as() {
  HostModel model = guide_model();
  model.modules.loadable.insert("bonding");
  return model;
}

TEST_P(Crashes, ThenRollbackAfterARebootBringsTheFilesBack) {
  RecordedHost host = rich_host(GetParam());
  const HostModel start = host.model();
  const HostModel boots = boots_as();
  bool beyond = false;
  for (std::size_t n = 1; !beyond; ++n) {
    RecordedHost dead = crashed(start, GetParam().spec, n, When::after, beyond, options_of(GetParam()));
    if (beyond || (!GetParam().before.empty() && seen(dead) == seen(start))) continue;
    SCOPED_TRACE(fmt::format("lost power at call {}", n));
    RecordedHost up(rebooted(dead.model(), boots));
    ASSERT_EQ(take_back(up), "");
    ASSERT_EQ(unified_diff(durable(start), durable(up.model())), "");
  }
}

// Whoever died, and wherever: what the timer starts brings the host back, and where none is armed nothing has happened.
TEST_P(Crashes, ThenTheDeadlineBringsTheHostBack) {
  HostModel start = rich_host(GetParam()).model();
  if (!start.systemd) start.systemd.emplace();
  PlanOptions options = options_of(GetParam());
  options.confirm_within = 3600;
  bool beyond = false;
  for (std::size_t n = 1; !beyond; ++n) {
    RecordedHost dead = crashed(start, GetParam().spec, n, When::after, beyond, options);
    SCOPED_TRACE(fmt::format("died at call {}", n));
    Host doors = dead.host();
    for (const auto& [name, timer] : std::exchange(dead.model().systemd->timers, {}))
      ASSERT_EQ(roll_back_unconfirmed(doors, timer.arguments.back(), deaf()).message, "");
    ASSERT_EQ(unified_diff(seen(start), seen(dead)), "");
  }
}

TEST_P(Crashes, ThenTheBootAfterAPowerCutInsideTheWindowBringsTheFilesBack) {
  HostModel start = rich_host(GetParam()).model();
  if (!start.systemd) start.systemd.emplace();
  PlanOptions options = options_of(GetParam());
  options.confirm_within = 3600;
  bool beyond = false;
  for (std::size_t n = 1; !beyond; ++n) {
    RecordedHost dead = crashed(start, GetParam().spec, n, When::after, beyond, options);
    SCOPED_TRACE(fmt::format("lost power at call {}", n));
    RecordedHost up(rebooted(dead.model(), boots_as()));
    Host doors = up.host();
    apply_boot(doors, deaf());
    if (const auto run = newest_run(doors); run && run->is_half_done()) {
      ASSERT_TRUE(has_images(start)) << "an initrd alone waits for a person";
      ASSERT_EQ(take_back(up), "");
    }
    HostModel before = start;
    before.systemd.reset();
    ASSERT_EQ(unified_diff(durable(before), durable(up.model())), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Rich, Crashes, testing::ValuesIn(rich_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Crashes, AnySpecAnywhere) {
  for_all("crash anywhere, rollback restores", [](Case& drawn) {
    const auto spec = any_spec(drawn);
    const auto part = any_host(drawn);
    const auto n = static_cast<std::size_t>(drawn.number(1, 60));
    const auto when = any_when(drawn);
    bool beyond = false;
    const HostModel start = part.model();
    RecordedHost dead = crashed(start, spec.text(), n, when, beyond);
    const std::string what = take_back(dead);
    if (!what.empty()) falsify(fmt::format("died at call {}: {}", n, what));
    if (seen(dead) != seen(start))
      falsify(fmt::format("died at call {}:\n{}", n, unified_diff(seen(start), seen(dead))));
  });
}

TEST(Crashes, AFinishedApplyIsRolledBackWithoutForce) {
  for_all("apply, rollback: the host is as before", [](Case& drawn) {
    const auto spec = any_spec(drawn);
    const HostModel start = any_host(drawn).model();
    RecordedHost host(start);
    apply_spec(host, spec.text());
    const std::string what = take_back(host);
    if (!what.empty()) falsify(what);
    if (seen(host) != seen(start)) falsify(unified_diff(seen(start), seen(host)));
  });
}

}  // namespace
}  // namespace rdmastate
