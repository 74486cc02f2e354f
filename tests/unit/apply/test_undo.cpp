// SPDX-License-Identifier: Apache-2.0
// Taking back: what others changed is left and named, what a reboot undid is not touched.
#include <fmt/format.h>
#include "apply/undo.hpp"

#include <cerrno>

#include "base/error.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "support/hidden_files.hpp"
#include "support/random_spec.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

const std::string modules_file = "/etc/modules-load.d/rdmastate.conf";
constexpr const char* this_boot = "3f1c9a52-7b0e-4d4f-9e0b-6a1d2c58e7f4";

struct Applied {
  RecordedHost host{loaded_model()};
  std::string before = seen(host);
  Host doors = host.host();
  explicit Applied(const std::string& spec = spec_two) { EXPECT_EQ(apply_spec(host, spec).code, ExitCode::done); }
  RunRecord run() { return *newest_run(doors); }
};

bool mentions(const Undone& undone, const std::string& what) {
  return std::any_of(undone.left.begin(), undone.left.end(),
                     [&](const std::string& line) { return line.find(what) != std::string::npos; });
}

TEST(Undo, BringsAllBack) {
  Applied it;
  EXPECT_TRUE(roll_back(it.doors, it.run(), this_boot, {}).left.empty());
  EXPECT_EQ(seen(it.host), it.before);
}

// A fresh interface has the port's MTU and, once up, its multicast group's: that is nobody's change.
TEST(Undo, IsNotMisledByAnMtuThatTheKernelMoved) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  ASSERT_EQ(apply_spec(host,
                       "version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib]}\nipoib:\n"
                       "  - {name: mlx4_ib0, match: {port_guid: \"f452:1403:007b:cba1\"}}\n")
                .code,
            ExitCode::done);
  const Undone undone = roll_back(doors, *newest_run(doors), this_boot, {});
  EXPECT_EQ(fmt::format("{}", fmt::join(undone.left, "\n")), "");
}

TEST(Undo, LeavesAndNamesWhatMayNotBeRead) {
  Applied it;
  HiddenFiles files(it.doors.files, modules_file);
  Host hidden = with_files(it.doors, files);
  const FileContent there = it.host.model().files.at(modules_file);
  for (const bool force : {false, true}) {
    const Undone undone = roll_back(hidden, it.run(), this_boot, {.force = force});
    EXPECT_TRUE(mentions(undone, modules_file + " may not be read here"));
    EXPECT_FALSE(undone.is_over());
    EXPECT_EQ(it.host.model().files.at(modules_file), there);
  }
  EXPECT_TRUE(roll_back(it.doors, it.run(), this_boot, {}).left.empty()) << "once it may be read again";
  EXPECT_EQ(seen(it.host), it.before);
}

// A step that removed something only for a moment: another program's removal is left, but unseen is not removed.
TEST(Undo, NamesWhatWasGoneForAMomentAndMayNotBeRead) {
  Applied it;
  RunRecord run = it.run();
  const auto step =
      std::find_if(run.steps.begin(), run.steps.end(), [](const auto& one) { return one.key == modules_file; });
  ASSERT_NE(step, run.steps.end());
  step->from = step->to;
  HiddenFiles files(it.doors.files, modules_file);
  Host hidden = with_files(it.doors, files);
  EXPECT_TRUE(mentions(roll_back(hidden, run, this_boot, {}), modules_file + " may not be read here"));
}

TEST(Undo, ALedgerThatMayNotBeReadIsNotAbsent) {
  Applied it;
  const std::string ledger = "/etc/rdmastate/ledger.json";
  HiddenFiles files(it.doors.files, ledger);
  Host hidden = with_files(it.doors, files);
  EXPECT_THROW(step_to_text(Snapshot(hidden), ledger, "{}\n"), Error);
  const std::string before = it.host.to_json();
  EXPECT_THROW(apply(hidden, wish_for("version: 1\n"), deaf()), Error);
  EXPECT_EQ(it.host.to_json(), before);
}

TEST(Undo, LeavesAndNamesWhatOthersChanged) {
  Applied it;
  it.host.model().files[modules_file].bytes += "ib_srp\n";
  const Undone undone = roll_back(it.doors, it.run(), this_boot, {});
  EXPECT_TRUE(mentions(undone, modules_file + " was changed by another program since"));
  EXPECT_EQ(undone.left.size(), 1U);
  EXPECT_TRUE(it.host.model().files[modules_file].bytes.ends_with("ib_srp\n"));
  EXPECT_FALSE(it.host.model().files.contains("/etc/rdmastate/boot.json"));
}

TEST(Undo, TakesThatBackTooWhenForced) {
  Applied it;
  it.host.model().files[modules_file].bytes += "ib_srp\n";
  EXPECT_TRUE(roll_back(it.doors, it.run(), this_boot, {.force = true}).left.empty());
  EXPECT_EQ(seen(it.host), it.before);
}

TEST(Undo, LeavesAnInterfaceThatOthersChanged) {
  Applied it;
  const Link child = *it.doors.links->find("mlx4_ib0.8002");
  LinkChange change;
  change.mode = IpoibMode::connected;
  it.doors.links->change(child, change);
  const Undone undone = roll_back(it.doors, it.run(), this_boot, {});
  EXPECT_TRUE(mentions(undone, "mlx4_ib0.8002"));
  EXPECT_TRUE(it.doors.links->find("mlx4_ib0.8002"));
}

// Typed once more when the cause is mended, it does the rest.
TEST(Undo, ThatStopsHalfWaySaysWhatToType) {
  RecordedHost host(loaded_model());
  Host doors = host.host();
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const std::string before = seen(host);
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  const auto links = host.model().links;
  std::erase_if(host.model().links, [](const auto& link) { return link.second.link.name == "mlx4_ib0"; });
  const Outcome stopped = rollback(doors, false, deaf());
  EXPECT_EQ(stopped.code, ExitCode::failed_dirty);
  EXPECT_TRUE(stopped.message.ends_with("Mend the cause and run: rdmastate rollback")) << stopped.message;
  host.model().links = links;
  EXPECT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(seen(host), before);
}

TEST(Undo, OfAnUnfinishedRunGoesBackWhateverIsThere) {
  Applied it;
  it.host.model().files[modules_file].bytes = "half";
  RunRecord run = it.run();
  run.end = RunEnd::unfinished;
  EXPECT_TRUE(roll_back(it.doors, run, this_boot, {}).left.empty());
  EXPECT_EQ(seen(it.host), it.before);
}

// A rollback that dies at its n-th call, and the one after it; what is left of the host and of the run.
struct HalfBack {
  Applied it;
  bool beyond = true;
  explicit HalfBack(std::size_t n) {
    it.host.model().files[modules_file].bytes += "ib_srp\n";
    it.host.crash_at(n, When::after);
    try {
      roll_back(it.doors, it.run(), this_boot, {});
    } catch (const OrderedCrash&) {
      beyond = false;
    }
    it.host.clear_orders();
  }
};

TEST(Undo, ThatDiedGoesOnAndLeavesWhatOthersHadChanged) {
  for (std::size_t n = 1;; ++n) {
    SCOPED_TRACE(fmt::format("died at call {}", n));
    HalfBack half(n);
    Applied& it = half.it;
    if (half.beyond) {
      EXPECT_GT(n, 5U);
      break;
    }
    const Undone undone = roll_back(it.doors, it.run(), this_boot, {});
    EXPECT_TRUE(mentions(undone, modules_file + " was changed by another program since"));
    EXPECT_EQ(fmt::format("{}", fmt::join(undone.left, "\n")), undone.left.at(0));
    EXPECT_TRUE(it.host.model().files[modules_file].bytes.ends_with("ib_srp\n"));
    EXPECT_FALSE(it.host.model().files.contains("/etc/rdmastate/boot.json"));
    EXPECT_EQ(it.run().end, RunEnd::finished) << "others' changes keep nobody from the next apply";
  }
}

TEST(Undo, ThatDiedTakesAllBackWhenForced) {
  HalfBack half(3);
  ASSERT_FALSE(half.beyond);
  ASSERT_EQ(half.it.run().end, RunEnd::half_back);
  EXPECT_TRUE(roll_back(half.it.doors, half.it.run(), this_boot, {.force = true}).left.empty());
  EXPECT_EQ(seen(half.it.host), half.it.before);
}

// No module: one that cannot be unloaded stays.
const std::string only_interfaces =
    "version: 1\nnetwork: {backend: none}\nipoib:\n"
    "  - {name: mlx4_ib0, match: {port_guid: \"f452:1403:007b:cba1\"}, mode: connected, mtu: 65520}\n"
    "  - {parent: mlx4_ib0, pkey: 0x8002, ipv4: {method: manual, addresses: [198.51.100.33/28]}}\n";

// Whatever fails once on the way back: what was not moved then is looked for again.
TEST(Undo, TriesOnceMoreWhatFailed) {
  std::size_t mended = 0;
  for (std::size_t n = 1; n < 100; ++n) {
    SCOPED_TRACE(fmt::format("call {} failed", n));
    Applied it(only_interfaces);
    const std::size_t before = it.host.moves();
    it.host.fail_call(n, EIO, When::before);
    try {
      const Undone undone = roll_back(it.doors, it.run(), this_boot, {});
      EXPECT_EQ(undone.left.empty(), it.run().end == RunEnd::rolled_back)
          << fmt::format("{}", fmt::join(undone.left, "\n"));
      EXPECT_EQ(seen(it.host), it.before);
      mended += undone.left.empty() ? 1 : 0;
    } catch (const Error&) {
      EXPECT_EQ(n, 1U) << "once the run says that it is taken back, what fails is said beside what else is left";
    }
    if (it.host.moves() - before < n) break;
  }
  EXPECT_GT(mended, 5U);
}

// The number of the first call of such a name that a rollback makes.
std::size_t call_of_rollback(std::string_view name) {
  Applied it(only_interfaces);
  const std::size_t before = it.host.calls().size();
  roll_back(it.doors, it.run(), this_boot, {});
  for (std::size_t at = before; at < it.host.calls().size(); ++at)
    if (it.host.calls()[at].starts_with(name)) return at - before + 1;
  ADD_FAILURE() << "no call begins with " << name;
  return 0;
}

TEST(Undo, ThatCannotBeMadeDurableAwaitsRollback) {
  Applied it(only_interfaces);
  it.host.fail_call(call_of_rollback("syncing directories"), EIO, When::before);
  const Outcome outcome = rollback(it.doors, false, deaf());
  EXPECT_EQ(outcome.code, ExitCode::failed_dirty) << outcome.message;
  EXPECT_NE(outcome.message.find("Mend the cause and run: rdmastate rollback"), std::string::npos) << outcome.message;
  EXPECT_EQ(it.run().end, RunEnd::unfinished);
  EXPECT_EQ(rollback(it.doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(seen(it.host), it.before);
}

// Its time and inode stay, and whoever watches it hears nothing.
TEST(Undo, TouchesNoFileThatWasNotMoved) {
  std::size_t undone = 0;
  for (std::size_t n = 4; n < 40; ++n) {
    SCOPED_TRACE(fmt::format("call {} failed", n));
    RecordedHost host(loaded_model());
    ASSERT_EQ(apply_spec(host, spec_one).code, ExitCode::done);
    const std::size_t first = host.moves();
    host.fail_call(n, EIO, When::before);
    if (apply_spec(host, "version: 1\n").code != ExitCode::failed_restored) continue;
    ++undone;
    const auto& calls = host.calls();
    const auto failed = calls.begin() + static_cast<std::ptrdiff_t>(first + n);
    for (auto call = failed; call != calls.end(); ++call) {
      if (!call->starts_with("writing /etc/")) continue;
      EXPECT_NE(std::find(calls.begin(), failed, "removing" + call->substr(call->find(' '))), failed) << *call;
    }
  }
  EXPECT_GT(undone, 5U);
}

TEST(Undo, SaysWhatDoesNotComeBack) {
  RecordedHost host(loaded_model());
  Host doors = host.host();
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, "version: 1\n").code, ExitCode::done);
  std::erase_if(host.model().links, [](const auto& link) { return link.second.link.name == "mlx4_ib0"; });
  const Undone undone = roll_back(doors, *newest_run(doors), this_boot, {});
  EXPECT_TRUE(mentions(undone, "(port f452:1403:007b:cba1 pkey 0x8002) is not as it was"))
      << fmt::format("{}", fmt::join(undone.left, "\n"));
  EXPECT_EQ(newest_run(doors)->end, RunEnd::unfinished);
}

TEST(Undo, AfterARebootTouchesOnlyWhatIsDurable) {
  Applied it;
  const std::size_t moves = it.host.moves();
  const Undone undone = roll_back(it.doors, it.run(), "another-boot", {});
  EXPECT_TRUE(undone.left.empty());
  EXPECT_FALSE(it.host.model().files.contains("/etc/rdmastate/boot.json"));
  EXPECT_TRUE(it.doors.links->find("mlx4_ib0.8002")) << "made again at boot, it is not this run's";
  for (std::size_t i = moves; i < it.host.calls().size(); ++i)
    EXPECT_EQ(it.host.calls()[i].find("mlx4_ib0"), std::string::npos) << it.host.calls()[i];
}

// A power cut can leave the unit as it was before the run, and take a file that was just replaced.
TEST(Undo, AFileIsWrittenBackThoughTheUnitOfTheRunIsBackAlready) {
  const std::string modules = "version: 1\nmodules: {load: [ib_umad]}\n";
  RecordedHost host(HostPart{.nfs = true, .serving = true}.model());
  Host doors = host.host();
  ASSERT_EQ(apply_spec(host, modules).code, ExitCode::done);
  HostModel before = host.model();
  ASSERT_EQ(apply_spec(host, modules + "nfs: {server: {run: false}}\n").code, ExitCode::done);
  RunRecord run = *newest_run(doors);
  run.end = RunEnd::unfinished;
  const std::string spec{common_layout().applied};
  for (const auto& [path, file] : host.model().files)
    if (path.starts_with(common_layout().runs)) before.files[path] = file;
  host.model() = before;
  host.model().files.erase(spec);
  EXPECT_EQ(fmt::format("{}", fmt::join(roll_back(doors, run, this_boot, {}).left, "\n")), "");
  EXPECT_EQ(host.model().files[spec].bytes, before.files.at(spec).bytes);
}

TEST(Undo, AModuleThatIsInUseStays) {
  RecordedHost host(guide_model());
  Host doors = host.host();
  ASSERT_EQ(apply_spec(host, "version: 1\nmodules: {load: [ib_umad]}\n").code, ExitCode::done);
  host.model().modules.in_use["ib_umad"] = 1;
  EXPECT_TRUE(roll_back(doors, *newest_run(doors), this_boot, {}).left.empty());
  EXPECT_TRUE(host.model().modules.loaded.contains("ib_umad"));
}

}  // namespace
}  // namespace rdmastate
