// SPDX-License-Identifier: Apache-2.0
// On a recorded host: the process dies at any call, or power goes and files lose what was not synced. What boot, or
// rollback, makes of that is what it makes of the old state or of the new one.
#include <cstdio>

#include "apply/run.hpp"
#include "base/error.hpp"
#include "base/textdiff.hpp"
#include "crash/losing_files.hpp"
#include "property/rich.hpp"
#include "support/hidden_files.hpp"

namespace rdmastate {
namespace {

struct Count {
  std::size_t points = 0, lost = 0, old_ends = 0, new_ends = 0;
};
Count total;

// Everything, where our reboot makes again what was there; else the files.
std::string shown(const RichCase& one, HostModel model) {
  model.files.erase("/proc/sys/kernel/random/boot_id");
  model.files.erase("/proc/self/mountinfo");  // nothing is mounted at a boot of the record, and the folder stays
  model.files.erase("/proc/self");
  if (!one.host.up && one.manager.empty() && one.before.empty() && one.spec.find("backend: none") != std::string::npos)
    return seen(std::move(model));
  HostModel files = guide_model();
  files.files = std::move(model.files);
  files.files.erase("/proc/sys/kernel/random/boot_id");
  return seen(std::move(files));
}

// Device nodes are the kernel's, on no disk: each boot makes them anew.
HostModel with_new_nodes(HostModel model) {
  for (auto& [path, file] : model.files)
    if (file.meta.type == FileType::other) file.meta = {FileType::other, 0600, 0, 0};
  return model;
}

// One boot of the host with these files: recovery, and what boot.json says.
HostModel boot_once(const RichCase& one, const HostModel& was, std::string& said) {
  RecordedHost up(with_new_nodes(rebooted(was, one.host.up ? guide_model() : managed_model(one))));
  Host doors = up.host();
  const Listener listener{[](const Plan&) {}, [](const std::string&) {},
                          [&](const std::string& line) { said += line + "\n"; }};
  said += apply_boot(doors, listener).message;
  return up.model();
}

// What is there for good once the host with these files has booted. What the first boot did by a file of the
// interrupted run before recovery came to it (a module loaded, a name given) stays as long as that boot: hence the
// second.
std::string booted(const RichCase& one, HostModel was, std::map<std::string, FileContent> files, std::string& said) {
  was.files = std::move(files);
  return shown(one, boot_once(one, boot_once(one, was, said), said));
}

void count(const std::string& found, const std::string& old_state, const std::string& new_state,
           const std::string& what) {
  ++total.points;
  if (found == new_state) {
    ++total.new_ends;
  } else if (found == old_state) {
    ++total.old_ends;
  } else {
    ++total.lost;
    ADD_FAILURE() << what << "\n"
                  << unified_diff(old_state, found) << "\n--- to the new state\n"
                  << unified_diff(new_state, found);
  }
}

class Record : public testing::TestWithParam<RichCase> {
 protected:
  static void TearDownTestSuite() {
    std::printf("crash (record): %zu points, %zu lost, %zu ended old, %zu ended new\n", total.points, total.lost,
                total.old_ends, total.new_ends);
  }
};

TEST_P(Record, PowerGoesAnywhere) {
  RecordedHost host = rich_host(GetParam());
  const HostModel start = host.model();
  LosingFiles files(host);
  Host doors = with_files(host.host(), files);
  const Outcome outcome = apply(doors, wish_for(GetParam().spec), deaf());
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  std::string said;
  const std::string old_state = booted(GetParam(), start, start.files, said);
  const std::string new_state = booted(GetParam(), start, host.model().files, said);
  ASSERT_NE(old_state, new_state) << "a case that changes nothing proves nothing";
  std::set<std::string> known;  // states, as they were found after the power cut
  for (const auto& moment : files.moments())
    for (const auto& kept : kept_subsets(moment)) {
      HostModel cut = start;
      cut.files = after_power_cut(moment, kept);
      if (!known.insert(write_host_model(cut)).second) continue;
      said.clear();
      const std::string found = booted(GetParam(), start, cut.files, said);
      count(found, old_state, new_state, fmt::format("power went after {} changes: {}", kept.size(), said));
      if (HasFailure()) return;
    }
}

TEST_P(Record, TheProcessDiesAtAnyCall) {
  RecordedHost unharmed = rich_host(GetParam());
  const HostModel start = unharmed.model();
  apply_spec(unharmed, GetParam().spec);
  std::string before;
  for (std::size_t n = 1;; ++n) {
    RecordedHost host(start);
    host.crash_at(n, When::after);
    try {
      apply_spec(host, GetParam().spec);
      return;
    } catch (const OrderedCrash&) {
    }
    RecordedHost left = RecordedHost::from_json(host.to_json(), "left.json");
    if (const std::string now = left.to_json(); now == std::exchange(before, now)) continue;
    Host doors = left.host();
    if (const auto run = newest_run(doors); run && run->is_half_done()) rollback(doors, false, deaf());
    count(seen(left), seen(start), seen(unharmed), fmt::format("died at call {}", n));
    if (HasFailure()) return;
  }
}

// An image is made by a program of the distribution, whose syncs are its own: the property Crashes has those cases.
std::vector<RichCase> cases_without_images() {
  std::vector<RichCase> cases = rich_cases();
  std::erase_if(cases, [](const RichCase& one) { return one.host.initrd; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Rich, Record, testing::ValuesIn(cases_without_images()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace rdmastate
