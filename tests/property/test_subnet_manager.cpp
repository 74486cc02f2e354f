// SPDX-License-Identifier: Apache-2.0
// On every family: applied is applied, the host's own spec is that spec, one spec after another leaves no trace, and
// what other hosts would feel is not done unasked.
#include <fmt/format.h>
#include "apply/undo.hpp"
#include "plan/print.hpp"
#include "sections/adopt.hpp"
#include "sections/subnet_manager/in_force.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

// A family; and whether its package is installed and its systemd answers, so that OpenSM starts and stops.
struct Family {
  const char* release;
  bool runs;
};
constexpr const char* debian = "ID=debian\nVERSION_ID=\"12\"\n";
constexpr const char* rhel = "ID=rhel\nVERSION_ID=\"9.4\"\n";
constexpr const char* sles = "ID=sles\nVERSION_ID=\"15.6\"\n";
constexpr Family without[] = {{debian, false}, {rhel, false}, {sles, false}};
constexpr Family running_ones[] = {{debian, true}, {rhel, true}, {sles, true}};

std::string name_of_family(const testing::TestParamInfo<Family>& one) {
  return std::string(one.param.release).substr(3, 4) + (one.param.runs ? "Running" : "");
}

std::string spec_of(const std::string& rest) { return "version: 1\nsubnet_manager: {" + rest + "}\n"; }

const std::string one_port = "run: true, instances: [{port_guid: \"f452:1403:007b:cba1\"";
const std::string storage =
    "{name: storage, pkey: 0x8002, ipoib: true, members: {ALL: limited, \"f452:1403:007b:cba1\": full}}";

std::vector<std::string> specs() {
  return {
      spec_of("run: false"),
      spec_of(one_port + "}]"),
      spec_of(one_port + ", priority: 14}], partitions: [" + storage + "]"),
      spec_of(one_port + ", priority: 0, subnet_prefix: \"0xfe80000000000002\"}], default_mtu: 4096, partitions: []"),
      spec_of(one_port +
              ", priority: 3}, {port_guid: \"0002:c903:0031:78f1\", priority: 4}], partitions: "
              "[{name: c, pkey: 0x8003, members: {ALL_CAS: both}}, " +
              storage + "]"),
      "version: 1\n",
      spec_of(one_port + ", options: {lmc: 1, qos: true, sweep_interval: 0x14, routing_engine: \"ftree,updn\"}}]"),
      spec_of(one_port + ", priority: 3, options: {lmc: 0}}, {port_guid: \"0002:c903:0031:78f1\"}], partitions: [" +
              storage + "]"),
  };
}

void add_opensm(HostModel& model) {
  model.systemd.emplace();
  for (const char* unit : {"opensm.service", "opensm@.service"})
    model.files[std::string("/usr/lib/systemd/system/") + unit] = {
        {FileType::regular, 0644, 0, 0}, "[Service]\nExecStart=/usr/sbin/opensm\n", {}};
  model.files["/sys/class/infiniband_mad/abi_version"] = {{FileType::regular, 0444, 0, 0}, "5\n", {}};
}

// On a fabric without a subnet manager, so that a start and the first file disturb nobody.
HostModel model_of(const Family& family) {
  HostModel model = guide_model();
  for (auto& device : model.devices)
    for (auto& port : device.ports) port.sm_lid = 0;
  model.files.at("/usr/lib/os-release").bytes = family.release;
  if (family.runs) add_opensm(model);
  model.files["/etc/default/opensm"] = {{FileType::regular, 0644, 0, 0}, "# by the package\nPORTS=NONE\n", {}};
  model.files["/etc/sysconfig/opensm"] = {{FileType::regular, 0644, 0, 0}, "# by the package\n#GUIDS=\"\"\n", {}};
  add_parents(model.files);
  return model;
}

std::string adopted_plainly(RecordedHost& host) {
  Host doors = host.host();
  const Snapshot snapshot(doors);
  return adopted_text(adopt(snapshot, read_facts(snapshot)), Comments::left_out);
}

class SubnetManagers : public testing::TestWithParam<Family> {};
// Debian has no launcher.
class OpensmLauncher : public testing::TestWithParam<Family> {};
class RunningOpensm : public testing::TestWithParam<Family> {};

TEST_P(SubnetManagers, AppliedTwiceTheSecondMovesNothing) {
  for (const auto& spec : specs()) {
    RecordedHost host(model_of(GetParam()));
    const Outcome outcome = apply_spec(host, spec);
    ASSERT_EQ(outcome.code, ExitCode::done) << spec << outcome.message;
    const std::string before = host.to_json();
    const Plan plan = plan_spec(host, spec);
    EXPECT_TRUE(plan.is_empty()) << spec << plan_text(plan, Paint(false));
    EXPECT_EQ(apply_spec(host, spec).code, ExitCode::done);
    EXPECT_EQ(host.to_json(), before);
  }
}

TEST_P(SubnetManagers, AreAdoptedFromTheirOwnFiles) {
  for (const auto& spec : specs()) {
    RecordedHost host(model_of(GetParam()));
    ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
    const std::string text = adopted_plainly(host);
    const Plan plan = plan_spec(host, text);
    EXPECT_TRUE(plan.is_empty()) << spec << "---\n" << text << plan_text(plan, Paint(false));
  }
}

TEST_P(SubnetManagers, LeaveNoTraceOfTheOneBefore) {
  for (const auto& before : specs())
    for (const auto& after : specs()) {
      RecordedHost host(model_of(GetParam()));
      ASSERT_EQ(apply_spec(host, before).code, ExitCode::done);
      const Outcome outcome = apply_spec(host, after, {.allow_fabric = true});
      ASSERT_EQ(outcome.code, ExitCode::done) << before << after << outcome.message;
      const Plan plan = plan_spec(host, after);
      EXPECT_TRUE(plan.is_empty()) << before << after << plan_text(plan, Paint(false));
    }
}

TEST_P(SubnetManagers, DoNotStopUnasked) {
  RecordedHost host(model_of(GetParam()));
  ASSERT_EQ(apply_spec(host, specs()[2]).code, ExitCode::done);
  const std::string before = host.to_json();
  for (const std::size_t i : {0U, 1U, 3U, 5U}) {
    const Outcome outcome = apply_spec(host, specs()[i]);
    EXPECT_EQ(outcome.code, ExitCode::refused) << specs()[i] << outcome.message;
    EXPECT_EQ(host.to_json(), before) << specs()[i];
  }
}

TEST_P(SubnetManagers, OfOthersArePartitionsReplacedOnlyWhenAllowed) {
  for (const char* text : {"a=0x5:ALL=full;\n", "what is this\n"}) {
    HostModel model = model_of(GetParam());
    for (const char* path : {"/etc/opensm/partitions.conf", "/etc/rdma/partitions.conf"})
      model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
    add_parents(model.files);
    RecordedHost host(model);
    EXPECT_EQ(apply_spec(host, specs()[2]).code, ExitCode::refused) << text;
    EXPECT_EQ(apply_spec(host, specs()[1]).code, ExitCode::done) << "partitions that the spec does not name";
    EXPECT_EQ(apply_spec(host, specs()[2], {.adopt = true, .allow_fabric = true}).code, ExitCode::refused) << text;
    const std::string purging = specs()[2] + "purge: [partitions]\n";
    EXPECT_EQ(apply_spec(host, purging, {.adopt = true}).code, ExitCode::refused) << text;
    EXPECT_EQ(apply_spec(host, purging, {.allow_fabric = true}).code, ExitCode::refused) << text;
    EXPECT_EQ(apply_spec(host, purging, {.adopt = true, .allow_fabric = true}).code, ExitCode::done) << text;
  }
}

constexpr const char* of_others =
    "# by hand\nrouting_engine ftree,updn\nlmc 2 # paths\nsubnet_prefix 0xfe80000000000007\nm_key 0x0123456789abcdef\n"
    "log_flags 0x03\n";

// What the instances go by, one in a line.
std::string in_force(RecordedHost& host) {
  Host doors = host.host();
  const Facts facts = read_facts(Snapshot(doors));
  std::string text;
  for (const auto& one : opensm_in_force(facts.opensm, *opensm_layout(platform_of(facts).family))) {
    for (const auto& [name, said] : one.settings)
      if (name != "sm_priority" && name != "allow_both_pkeys" && name != "log_file")
        text += fmt::format("{} {}, ", name, said.value);
    text += "\n";
  }
  return text;
}

bool is_everywhere(const std::string& what, const std::string& lines) {
  if (lines.empty()) return false;
  for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
    if (lines.substr(at, lines.find('\n', at) - at).find(what) == std::string::npos) return false;
  return true;
}

bool gives_prefix(const std::string& spec) { return spec.find("subnet_prefix") != std::string::npos; }

// One way or the other it is refused as long as something goes, and what may go is taken over where a spec says
// nothing.
void expect_guarded(const HostModel& model, const std::string& spec) {
  const std::string told = spec + model.files.at("/usr/lib/os-release").bytes;
  RecordedHost host(model);
  const Outcome unasked = apply_spec(host, spec);
  if (unasked.code == ExitCode::refused) {
    EXPECT_EQ(host.to_json(), RecordedHost(model).to_json()) << told;
    EXPECT_NE(unasked.message.find("out of force"), std::string::npos) << told << unasked.message;
  } else {
    EXPECT_EQ(unasked.code, ExitCode::done) << told << unasked.message;
    EXPECT_TRUE(is_everywhere("lmc 2, m_key (a secret, not shown), routing_engine ftree,updn", in_force(host))) << told;
  }
  RecordedHost allowing(model);
  EXPECT_EQ(apply_spec(allowing, spec, {.allow_fabric = true}).code, ExitCode::done) << told;
  EXPECT_TRUE(plan_spec(allowing, spec).is_empty()) << told;
  RecordedHost taking(model);
  const Outcome taken = apply_spec(taking, spec, {.adopt = true});
  EXPECT_EQ(taken.code, ExitCode::done) << told << taken.message;
  const std::string now = in_force(taking);
  EXPECT_TRUE(is_everywhere("lmc 2, m_key (a secret, not shown), routing_engine ftree,updn", now)) << told << now;
  EXPECT_TRUE(gives_prefix(spec) || is_everywhere("subnet_prefix 0xfe80000000000007", now)) << told << now;
  const Plan again = plan_spec(taking, spec);
  EXPECT_TRUE(again.is_empty() && again.refusals.empty()) << told << plan_text(again, Paint(false));
}

TEST_P(SubnetManagers, OfOthersKeepTheirSettingsUnlessAllowed) {
  for (const std::size_t i : {1U, 2U, 3U, 4U}) {
    HostModel model = model_of(GetParam());
    put(model, "/etc/default/opensm", "PORTS=NONE\n");
    for (const char* path : {"/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"}) put(model, path, of_others);
    expect_guarded(model, specs()[i]);
    RecordedHost host(model);
    if (!gives_prefix(specs()[i])) continue;
    EXPECT_EQ(apply_spec(host, specs()[i]).code, ExitCode::refused) << specs()[i];
  }
}

// Options need a configuration of rdmastate, which OpenSM reads instead of the foreign one.
TEST_P(SubnetManagers, OfOthersGiveWayToOptionsWhenAllowed) {
  HostModel model = model_of(GetParam());
  for (const char* path : {"/etc/opensm/opensm.conf", "/etc/rdma/opensm.conf"}) put(model, path, of_others);
  const std::string spec =
      spec_of(one_port + ", subnet_prefix: \"0xfe80000000000007\", options: {lmc: 1, max_wire_smps: 8}}]");
  RecordedHost host(model);
  const Outcome unasked = apply_spec(host, spec);
  EXPECT_EQ(unasked.code, ExitCode::refused) << unasked.message;
  EXPECT_NE(unasked.message.find("routing_engine ftree,updn of"), std::string::npos) << unasked.message;
  RecordedHost taking(model);
  const Outcome taken = apply_spec(taking, spec, {.adopt = true});
  EXPECT_EQ(taken.code, ExitCode::done) << taken.message;
  EXPECT_TRUE(is_everywhere("lmc 1", in_force(taking)) && is_everywhere("max_wire_smps 8", in_force(taking)));
  EXPECT_TRUE(is_everywhere("routing_engine ftree,updn", in_force(taking))) << in_force(taking);
  EXPECT_TRUE(plan_spec(taking, spec).is_empty());
  EXPECT_NE(adopted_plainly(taking).find("routing_engine: \"ftree,updn\""), std::string::npos)
      << adopted_plainly(taking);
  RecordedHost allowing(model);
  EXPECT_EQ(apply_spec(allowing, spec, {.allow_fabric = true}).code, ExitCode::done);
  EXPECT_FALSE(is_everywhere("routing_engine ftree,updn", in_force(allowing))) << in_force(allowing);
  EXPECT_TRUE(plan_spec(allowing, spec).is_empty());
}

// Such a file stays where it began as a copy and the spec drops the options: no command names it any more.
TEST(OpensmOfDebian, AConfigurationThatNoCommandNamesIsNotAdopted) {
  RecordedHost host(model_of({debian, false}));
  ASSERT_EQ(apply_spec(host, specs()[2]).code, ExitCode::done);
  host.model().files["/etc/opensm/opensm.conf.0xf4521403007bcba1"] = {{FileType::regular, 0644, 0, 0}, "lmc 3\n", {}};
  EXPECT_EQ(adopted_plainly(host).find("lmc"), std::string::npos) << adopted_plainly(host);
}

TEST_P(OpensmLauncher, OfOthersKeepsItsNumberedSettingsUnlessAllowed) {
  HostModel model = model_of(GetParam());
  put(model, "/etc/rdma/opensm.conf.3", fmt::format("{}guid 0xf4521403007bcba1\n", of_others));
  for (const std::size_t i : {1U, 2U}) {
    const std::string spec = specs()[i];
    RecordedHost host(model);
    EXPECT_EQ(apply_spec(host, spec).code, ExitCode::refused) << spec;
    EXPECT_EQ(apply_spec(host, spec, {.adopt = true}).code, ExitCode::done) << spec;
    EXPECT_TRUE(host.model().files.at("/etc/rdma/opensm.conf.3").bytes.starts_with(of_others)) << spec;
    EXPECT_FALSE(host.model().files.contains("/etc/rdma/opensm.conf.1")) << spec;
    EXPECT_TRUE(plan_spec(host, spec).is_empty()) << spec;
  }
}

// The units that run as the spec says: those that it names, and no other.
std::set<std::string> running(RecordedHost& host) {
  std::set<std::string> units;
  for (const auto& unit : host.host().units->services())
    if (unit.starts_with("opensm")) units.insert(unit);
  return units;
}

TEST_P(RunningOpensm, RunAsTheSpecSays) {
  const bool by_port = GetParam().release == debian;
  const std::string first = by_port ? "opensm@0xf4521403007bcba1.service" : "opensm.service";
  RecordedHost host(model_of(GetParam()));
  ASSERT_EQ(apply_spec(host, specs()[1]).code, ExitCode::done);
  EXPECT_EQ(running(host), std::set{first});
  ASSERT_EQ(apply_spec(host, specs()[4], {.allow_fabric = true}).code, ExitCode::done);
  EXPECT_EQ(running(host).size(), by_port ? 2U : 1U);
  ASSERT_EQ(apply_spec(host, specs()[0]).code, ExitCode::refused);
  ASSERT_EQ(apply_spec(host, specs()[0], {.allow_fabric = true}).code, ExitCode::done);
  EXPECT_EQ(running(host), std::set<std::string>());
  Host doors = host.host();
  EXPECT_TRUE(roll_back(doors, *newest_run(doors), newest_run(doors)->boot_id, {}).left.empty());
  EXPECT_EQ(running(host).size(), by_port ? 2U : 1U);
}

TEST_P(RunningOpensm, DoNotStartUnaskedBesideAnother) {
  HostModel model = model_of(GetParam());
  for (auto& device : model.devices)
    for (auto& port : device.ports) port.sm_lid = static_cast<std::uint16_t>(port.lid + 7);
  RecordedHost host(model);
  const Outcome unasked = apply_spec(host, specs()[1]);
  EXPECT_EQ(unasked.code, ExitCode::refused);
  EXPECT_NE(unasked.message.find("has a subnet manager at LID"), std::string::npos) << unasked.message;
  EXPECT_EQ(running(host), std::set<std::string>());
  EXPECT_EQ(apply_spec(host, specs()[1], {.allow_fabric = true}).code, ExitCode::done);
}

// One of this host that the spec runs too is no other, unless its options would make another subnet of it.
TEST_P(RunningOpensm, StartBesideTheirOwn) {
  const std::string second = "}, {port_guid: \"0002:c903:0031:78f1\", subnet_prefix: \"0xfe80000000000000\"";
  const std::string prefix = ", subnet_prefix: \"0xfe80000000000000\"";
  for (const bool is_other : {false, true}) {
    HostModel model = model_of(GetParam());
    std::uint32_t first_lid = 0;
    for (const auto& device : model.devices)
      for (const auto& port : device.ports)
        if (port.guid == Guid{0xf4521403007bcba1}) first_lid = port.lid;
    ASSERT_NE(first_lid, 0U);
    for (auto& device : model.devices)
      for (auto& port : device.ports) port.sm_lid = first_lid;
    RecordedHost host(model);
    const std::string spec = spec_of(one_port + prefix + second + (is_other ? ", options: {lmc: 1}}]" : "}]"));
    const Outcome outcome = apply_spec(host, spec);
    EXPECT_EQ(outcome.code, is_other ? ExitCode::refused : ExitCode::done) << outcome.message;
    EXPECT_EQ(outcome.message.find("has a subnet manager at LID") != std::string::npos, is_other) << outcome.message;
  }
}

TEST(OpensmOfDebian, RunsOnNoOtherPortWhoeverStartedIt) {
  RecordedHost host(model_of({debian, true}));
  host.host().units->start("opensm@0x0002c903003178f1.service");
  EXPECT_EQ(apply_spec(host, specs()[1]).code, ExitCode::refused);
  EXPECT_EQ(apply_spec(host, specs()[1], {.allow_fabric = true}).code, ExitCode::done);
  EXPECT_EQ(running(host), std::set<std::string>{"opensm@0xf4521403007bcba1.service"});
}

// Its unit is active, and it manages nothing any more: it is started anew, which nobody has to allow.
TEST_P(RunningOpensm, RunAgainAfterTheirDriver) {
  RecordedHost host(model_of(GetParam()));
  ASSERT_EQ(apply_spec(host, specs()[1]).code, ExitCode::done);
  for (auto& [name, unit] : host.model().systemd->units) unit.lost_device = true;
  EXPECT_FALSE(plan_spec(host, specs()[1]).is_empty());
  ASSERT_EQ(apply_spec(host, specs()[1]).code, ExitCode::done);
  for (const auto& [name, unit] : host.model().systemd->units) EXPECT_FALSE(unit.lost_device) << name;
  EXPECT_TRUE(plan_spec(host, specs()[1]).is_empty());
}

TEST_P(RunningOpensm, StartAnewForOtherOptions) {
  RecordedHost host(model_of(GetParam()));
  const std::string unit = GetParam().release == debian ? "opensm@0xf4521403007bcba1.service" : "opensm.service";
  const auto with = [](const char* interval) {
    return spec_of(one_port + ", options: {sweep_interval: " + interval + "}}]");
  };
  ASSERT_EQ(apply_spec(host, with("5")).code, ExitCode::done);
  host.model().systemd->units.at(unit).main_pid = 99;
  EXPECT_EQ(apply_spec(host, with("5")).code, ExitCode::done);
  EXPECT_EQ(host.model().systemd->units.at(unit).main_pid, 99U);
  EXPECT_EQ(apply_spec(host, with("6")).code, ExitCode::refused) << "the fabric feels it";
  EXPECT_EQ(apply_spec(host, with("6"), {.allow_fabric = true}).code, ExitCode::done);
  EXPECT_NE(host.model().systemd->units.at(unit).main_pid, 99U);
}

// The process stays where only partitions change, and is another one where its options do.
TEST(OpensmOfDebian, StartsAnewForOptionsAlone) {
  RecordedHost host(model_of({debian, true}));
  const std::string unit = "opensm@0xf4521403007bcba1.service";
  const auto pid = [&] { return host.model().systemd->units.at(unit).main_pid; };
  const std::string with_partitions = spec_of(one_port + ", priority: 3}], partitions: [" + storage + "]");
  ASSERT_EQ(apply_spec(host, spec_of(one_port + ", priority: 3}]")).code, ExitCode::done);
  host.model().systemd->units.at(unit).main_pid = 99;
  ASSERT_EQ(apply_spec(host, with_partitions).code, ExitCode::done);
  EXPECT_EQ(pid(), 99U);
  ASSERT_EQ(apply_spec(host, specs()[2], {.allow_fabric = true}).code, ExitCode::done);
  EXPECT_NE(pid(), 99U);
  host.model().systemd->units.at(unit).main_pid = 99;
  Host doors = host.host();
  const RunRecord run = *newest_run(doors);
  EXPECT_TRUE(roll_back(doors, run, run.boot_id, {}).left.empty());
  EXPECT_NE(pid(), 99U) << "taken back, its options are others again";
}

INSTANTIATE_TEST_SUITE_P(Families, SubnetManagers, testing::ValuesIn(without), name_of_family);
INSTANTIATE_TEST_SUITE_P(RunningFamilies, SubnetManagers, testing::ValuesIn(running_ones), name_of_family);
INSTANTIATE_TEST_SUITE_P(Families, RunningOpensm, testing::ValuesIn(running_ones), name_of_family);
INSTANTIATE_TEST_SUITE_P(Families, OpensmLauncher,
                         testing::Values(Family{rhel, false}, Family{sles, false}, Family{rhel, true},
                                         Family{sles, true}),
                         name_of_family);

}  // namespace
}  // namespace rdmastate
