// SPDX-License-Identifier: Apache-2.0
// On every family: applied is applied, the host's own spec is that spec, one spec after another leaves no trace, and
// what other hosts would feel is not done unasked.
#include <fmt/format.h>
#include "plan/print.hpp"
#include "sections/adopt.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

constexpr const char* releases[] = {"ID=debian\nVERSION_ID=\"12\"\n", "ID=rhel\nVERSION_ID=\"9.4\"\n",
                                    "ID=sles\nVERSION_ID=\"15.6\"\n"};

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
  };
}

HostModel model_of(const char* release) {
  HostModel model = guide_model();
  model.files.at("/usr/lib/os-release").bytes = release;
  model.files["/etc/default/opensm"] = {{FileType::regular, 0644, 0, 0}, "# by the package\nPORTS=NONE\n", {}};
  model.files["/etc/sysconfig/opensm"] = {{FileType::regular, 0644, 0, 0}, "# by the package\n#GUIDS=\"\"\n", {}};
  add_parents(model.files);
  return model;
}

std::string adopted(RecordedHost& host) {
  Host doors = host.host();
  const Snapshot snapshot(doors);
  return adopted_text(adopt(snapshot, read_facts(snapshot)), Comments::left_out);
}

class SubnetManagers : public testing::TestWithParam<const char*> {};

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
    const std::string text = adopted(host);
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

INSTANTIATE_TEST_SUITE_P(Families, SubnetManagers, testing::ValuesIn(releases),
                         [](const auto& one) { return std::string(one.param).substr(3, 4); });

}  // namespace
}  // namespace rdmastate
