// SPDX-License-Identifier: Apache-2.0
#include "patients.hpp"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "plan/record.hpp"
#include "support/scene.hpp"

namespace rdmastate::doctor {

std::ostream& operator<<(std::ostream& out, const Illness& illness) {
  return out << illness.id << " of " << illness.host;
}

std::ostream& operator<<(std::ostream& out, const Finding& finding) {
  return out << finding.id << " (" << rdmastate::to_text(finding.severity) << ") of '" << finding.subject.name
             << "': " << finding.symptom;
}

HostModel example(const std::string& name) {
  const std::string path = std::string(RDMASTATE_EXAMPLE_HOSTS) + "/" + name + ".json";
  return read_host_model(file_text(path), path);
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(RDMASTATE_EXAMPLE_HOSTS))
    if (file.path().extension() == ".json") names.push_back(file.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Diagnosis diagnosis_of(HostModel model, const Counters* before) {
  add_parents(model.files);
  // Where an example's systemd runs, it answers.
  if (model.files.contains("/run/systemd/system") && !model.systemd) model.systemd.emplace();
  RecordedHost recorded(std::move(model));
  Host host = recorded.host();
  host.is_rehearsal = true;
  const Snapshot snapshot(host);
  const Facts facts = read_facts(snapshot);
  return Examination(snapshot, facts, before).all();
}

HostModel record_of_host(HostModel model, const FilePlaces& more) {
  RecordedHost recorded(std::move(model));
  Host host = recorded.host();
  const Snapshot snapshot(host);
  return record_host(snapshot, read_facts(snapshot), more);
}

std::vector<Finding> added(const Diagnosis& less, const Diagnosis& more) {
  std::vector<Finding> rest;
  for (const auto& finding : more.findings)
    if (std::find(less.findings.begin(), less.findings.end(), finding) == less.findings.end()) rest.push_back(finding);
  return rest;
}

RdmaPort& port(HostModel& model, std::size_t device, std::size_t at) { return model.devices.at(device).ports.at(at); }

Link& link(HostModel& model, const std::string& name) { return model.find(name)->link; }

void run(HostModel& model, const std::string& unit, RecordedUnit state) {
  put(model, "/usr/lib/systemd/system/" + unit, "[Service]\nExecStart=/usr/sbin/daemon\n");
  if (!model.systemd) model.systemd.emplace();
  model.systemd->units[unit] = state;
}

}  // namespace rdmastate::doctor
