// SPDX-License-Identifier: Apache-2.0
// boot.json brings back what its reader finds: a unit that is there, starts and has its program, and a rule.
#include "plan/boot_reader.hpp"

#include "base/error.hpp"
#include "plan/record.hpp"
#include "plan/verdict.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

const std::string boot_file = "/etc/rdmastate/boot.json";
const std::string units = "/usr/lib/systemd/system/";
const std::string program = "/usr/bin/rdmastate";

const std::string soft =
    "version: 1\nnetwork: {backend: none}\nsoft_devices: [{name: rxe0, type: rxe, netdev: enp1s0}]\n";
const std::string soft_on_networkd =
    "version: 1\nnetwork: {backend: networkd}\nsoft_devices: [{name: rxe0, type: rxe, netdev: enp1s0}]\n";

void link(HostModel& model, const std::string& path, const std::string& target) {
  FileContent file;
  file.meta.type = FileType::symlink;
  file.bytes = target;
  model.files.insert_or_assign(path, file);
  add_parents(model.files);
}

struct Cause {
  const char* name;
  void (*change)(HostModel&);
  const char* says;  ///< a part of the sentence; "": the reader reads
};

const Cause causes[] = {
    {"as the package has it", [](HostModel&) {}, ""},
    {"no unit", [](HostModel& m) { m.files.erase(units + "rdmastate.service"); },
     "rdmastate.service is not installed here"},
    {"no unit for events", [](HostModel& m) { m.files.erase(units + "rdmastate-event@.service"); },
     "rdmastate-event@.service is not installed here"},
    {"masked", [](HostModel& m) { link(m, "/etc/systemd/system/rdmastate.service", "/dev/null"); },
     "rdmastate.service is masked by /etc/systemd/system/rdmastate.service"},
    {"masked for this boot", [](HostModel& m) { link(m, "/run/systemd/system/rdmastate.service", "/dev/null"); },
     "rdmastate.service is masked by /run/systemd/system/rdmastate.service"},
    {"masked by an empty file", [](HostModel& m) { put(m, "/etc/systemd/system/rdmastate.service", ""); },
     "rdmastate.service is masked by /etc/systemd/system/rdmastate.service"},
    {"a mask that another unit hides",
     [](HostModel& m) {
       put(m, "/etc/systemd/system/rdmastate.service", "[Service]\nExecStart=-/usr/bin/rdmastate apply --boot\n");
       link(m, "/run/systemd/system/rdmastate.service", "/dev/null");
     },
     ""},
    {"a unit without the program", [](HostModel& m) { m.files.erase(program); },
     "rdmastate.service starts /usr/bin/rdmastate, which is not there"},
    {"another program by a file of its own",
     [](HostModel& m) {
       put(m, "/etc/systemd/system/rdmastate.service.d/local.conf",
           "[Service]\nExecStart=\nExecStart=/opt/rdmastate apply --boot\n");
     },
     "rdmastate.service starts /opt/rdmastate, which is not there"},
    {"the rule masked", [](HostModel& m) { link(m, "/etc/udev/rules.d/60-rdmastate.rules", "/dev/null"); },
     "60-rdmastate.rules is masked by /etc/udev/rules.d/60-rdmastate.rules"},
    {"no rule", [](HostModel& m) { m.files.erase("/usr/lib/udev/rules.d/60-rdmastate.rules"); },
     "60-rdmastate.rules is not installed here"},
};

class Reader : public testing::TestWithParam<Cause> {};

Item item_of(const Plan& plan, const std::string& key) {
  const auto found = std::find_if(plan.items.begin(), plan.items.end(), [&](const Item& i) { return i.key == key; });
  if (found == plan.items.end()) throw Error("no item for " + key);
  return *found;
}

// Whoever owns the interfaces: a soft device's twin is boot.json on every back end.
TEST_P(Reader, DecidesWhetherTheBootFileIsATwin) {
  for (const auto& spec : {spec_two, soft, soft_on_networkd}) {
    HostModel model = loaded_model();
    GetParam().change(model);
    RecordedHost host(std::move(model));
    EXPECT_EQ(apply_spec(host, spec).code, ExitCode::done) << "all is moved, and written";
    EXPECT_TRUE(host.model().files.contains(boot_file));
    const Plan plan = plan_spec(host, spec);
    EXPECT_TRUE(plan.is_empty()) << GetParam().name;
    const bool reads = std::string(GetParam().says).empty();
    EXPECT_EQ(judge(plan).in_sync(), reads) << GetParam().name;
    EXPECT_EQ(plan.count_pending(), reads ? 0U : 1U) << "told once, whatever the file holds";
    const std::string& pending = item_of(plan, boot_file).gap.pending.sentence;
    EXPECT_TRUE(reads ? pending.empty() : pending.find(GetParam().says) != std::string::npos) << pending;
    for (const auto& item : plan.items) {
      if (item.kind->name != "ipoib_link" && item.kind->name != "soft_device") continue;
      for (const auto& twin : item.twins) {
        const bool by_udev = twin.fields == std::vector<std::string>{"name"};
        EXPECT_EQ(twin.state, reads || by_udev ? NextBoot::as_spec : NextBoot::absent) << item.key;
      }
    }
  }
}

// What is put right afterwards needs no other apply.
TEST_P(Reader, HealsWhenItComes) {
  HostModel model = loaded_model();
  const HostModel whole = model;
  GetParam().change(model);
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  HostModel healed = host.model();
  for (const char* made :
       {"/etc/systemd/system/rdmastate.service", "/run/systemd/system/rdmastate.service",
        "/etc/systemd/system/rdmastate.service.d/local.conf", "/etc/udev/rules.d/60-rdmastate.rules"})
    healed.files.erase(made);
  healed.files.insert(whole.files.begin(), whole.files.end());
  RecordedHost after(std::move(healed));
  EXPECT_TRUE(judge(plan_spec(after, spec_two)).in_sync());
}

TEST_P(Reader, IsInARecord) {
  HostModel model = loaded_model();
  GetParam().change(model);
  RecordedHost host(std::move(model));
  Host doors = host.host();
  const Snapshot snapshot(doors);
  RecordedHost again(record_host(snapshot, read_facts(snapshot)));
  Host second = again.host();
  EXPECT_EQ(find_boot_reader(Snapshot(second)).missing, find_boot_reader(snapshot).missing);
}

INSTANTIATE_TEST_SUITE_P(Causes, Reader, testing::ValuesIn(causes), [](const auto& one) {
  std::string name = one.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

TEST(BootReader, IsStartedByAnyLinkThatIsNotMasked) {
  HostModel model = loaded_model();
  const auto starts = [](const HostModel& of) {
    RecordedHost host(of);
    Host doors = host.host();
    return find_boot_reader(Snapshot(doors)).starts;
  };
  EXPECT_TRUE(starts(model)) << "by the package's own link";
  model.files.erase(units + "multi-user.target.wants/rdmastate.service");
  EXPECT_FALSE(starts(model));
  for (const std::string at :
       {"/etc/systemd/system/multi-user.target.wants/", "/etc/systemd/system/sysinit.target.requires/",
        "/usr/local/lib/systemd/system/graphical.target.wants/"}) {
    HostModel linked = model;
    link(linked, at + "rdmastate.service", units + "rdmastate.service");
    EXPECT_TRUE(starts(linked)) << at;
    link(linked, at + "rdmastate.service", "/dev/null");
    EXPECT_FALSE(starts(linked)) << at;
  }
}

// The column is of the host as it is: the link that the plan will make is not there yet.
TEST(BootReader, ThatNothingStartsIsMendedByThePlanItself) {
  HostModel model = loaded_model();
  model.files.erase(units + "multi-user.target.wants/rdmastate.service");
  RecordedHost host(std::move(model));
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  EXPECT_TRUE(judge(plan_spec(host, spec_two)).in_sync());
  HostModel cut = host.model();
  cut.files.erase("/etc/systemd/system/multi-user.target.wants/rdmastate.service");
  RecordedHost off(std::move(cut));
  const Plan plan = plan_spec(off, spec_two);
  EXPECT_EQ(plan.count_pending(), 0U);
  EXPECT_EQ(plan.steps.size(), 1U);
  EXPECT_EQ(item_of(plan, child_key).next_boot, NextBoot::absent);
}

}  // namespace
}  // namespace rdmastate
