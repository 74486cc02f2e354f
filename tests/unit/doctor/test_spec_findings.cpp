// SPDX-License-Identifier: Apache-2.0
// What a spec's plan says of a host, as findings.
#include "doctor/spec_findings.hpp"

#include "patients.hpp"
#include "support/scene.hpp"

namespace rdmastate::doctor {
namespace {

/// A spec that storage.json is as, what is done to the host then, and the one finding that it brings.
struct Asked {
  std::string id;
  std::string spec;
  void (*change)(HostModel&);
  std::string hint;  ///< what the finding says
};

constexpr const char* limits = "memlock: {services: [slurmd.service], soft: unlimited, hard: unlimited}";

void run_slurmd(HostModel& model, std::uint64_t bytes) {
  model.systemd->units["slurmd.service"] = {812, MemlockLimit{{bytes}, {bytes}}, false};
}

const Asked all_asked[] = {
    {"spec-differs", "modules: {load: [rdma_ucm]}",
     [](HostModel& model) { model.files.erase("/etc/modules-load.d/rdmastate.conf"); }, "`rdmastate apply spec.yaml`."},
    {"spec-blocked", "devices: [{match: {name: mlx5_0}, expect: {ports: {1: {state: active}}}}]",
     [](HostModel& model) { port(model).state = 3; }, "mlx5_0 port 1 is armed, not active"},
    {"spec-blocked", "devices: [{match: {name: mlx5_0}, expect: {ports: {1: {rate: 200}}}}]",
     [](HostModel& model) { port(model).rate = "100 Gb/sec (4X EDR)"; },
     "mlx5_0 port 1 runs at 100 Gb/sec (4X EDR), not 200 Gb/s"},
    {"spec-blocked", "devices: [{match: {name: mlx5_0}, expect: {ports: {1: {link_layer: infiniband}}}}]",
     [](HostModel& model) { port(model).link_layer = LinkLayer::ethernet; },
     "mlx5_0 port 1 is ethernet, not infiniband: what a port of mlx5_0 is stands in its firmware (mlx5): mlxconfig"},
    {"spec-blocked", "devices: [{match: {name: mlx5_0}, expect: {firmware: \">=20.39\"}}]",
     [](HostModel& model) { model.devices[0].firmware = "20.38.1900"; },
     "mlx5_0 has firmware 20.38.1900, not >=20.39: update it"},
    {"spec-pending", limits, [](HostModel& model) { run_slurmd(model, 8U << 20U); }, "restart slurmd"},
    {"spec-unseen", "memlock: {group: rdma, soft: unlimited, hard: unlimited}",
     [](HostModel& model) { model.unseen.insert("/etc/security/limits.d/95-rdmastate.conf"); }, "Run as root."},
};

// The spec is applied; `changed`: then the change is made.
Diagnosis diagnosis_by(const Asked& asked, bool changed) {
  HostModel model = example("storage");
  put(model, "/usr/lib/systemd/system/slurmd.service", "[Service]\nExecStart=/usr/sbin/slurmd\n");
  add_parents(model.files);
  model.systemd.emplace();
  run_slurmd(model, MemorySize::no_limit);
  RecordedHost recorded(std::move(model));
  const std::string spec = "version: 1\n" + asked.spec + "\n";
  apply_spec(recorded, spec);
  if (changed) asked.change(recorded.model());
  Diagnosis diagnosis;
  add_findings(plan_spec(recorded, spec), "spec.yaml", "run as root", diagnosis);
  return diagnosis;
}

TEST(DoctorSpec, WhatAPlanSaysIsFoundAndNothingElse) {
  for (const auto& asked : all_asked) {
    const Diagnosis diagnosis = diagnosis_by(asked, /*changed=*/true);
    ASSERT_EQ(diagnosis.findings.size(), 1U) << asked.id << testing::PrintToString(diagnosis.findings);
    const Finding& one = diagnosis.findings[0];
    EXPECT_EQ(one.id, asked.id);
    const std::string said = one.symptom + " " + one.cause + " " + one.fix;
    EXPECT_NE(said.find(asked.hint), std::string::npos) << said;
  }
}

TEST(DoctorSpec, WhatIsAsTheSpecSaysIsNoFinding) {
  for (const auto& asked : all_asked) {
    const auto found = diagnosis_by(asked, /*changed=*/false).findings;
    EXPECT_TRUE(found.empty()) << asked.id << testing::PrintToString(found);
  }
}

}  // namespace

std::vector<Diagnosis> spec_looks() {
  std::vector<Diagnosis> looks;
  for (const auto& asked : all_asked)
    for (const bool changed : {false, true}) looks.push_back(diagnosis_by(asked, changed));
  return looks;
}

}  // namespace rdmastate::doctor
