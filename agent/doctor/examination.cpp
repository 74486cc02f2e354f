// SPDX-License-Identifier: Apache-2.0
#include "doctor/examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "base/error.hpp"

namespace rdmastate::doctor {
namespace {

// What drivers answer for an attribute that means nothing at the moment, such as the speed of a link that is down.
bool shows_nothing(int number) {
  for (const int one : {EINVAL, EIO, ENODEV, ENXIO, EOPNOTSUPP, ESRCH})
    if (number == one) return true;
  return false;
}

}  // namespace

std::size_t Diagnosis::count(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [&](const Finding& finding) { return finding.severity == severity; }));
}

void sort(Diagnosis& diagnosis) {
  const auto by = [](const Finding& one) { return std::tie(one.severity, one.id, one.subject, one.symptom); };
  std::sort(diagnosis.findings.begin(), diagnosis.findings.end(),
            [&](const Finding& a, const Finding& b) { return by(a) < by(b); });
  std::sort(diagnosis.unlooked.begin(), diagnosis.unlooked.end());
}

// Returns what `work` returns. Where the host refuses, it notes `where` as unseen and returns an empty value; where a
// driver only has nothing to show (shows_nothing()), it returns an empty value.
template <class Work>
auto Examination::asking(const std::string& where, Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const SystemError& error) {
    if (error.is_denied())
      unseen(where, std::string(snapshot.who_sees()));
    else if (!shows_nothing(error.number()))
      unseen(where, error.what());
  } catch (const Error& error) {  // a daemon that does not answer
    unseen(where, error.what());
  }
  return decltype(work())();
}

// False for a check that a spec's plan or messages answer, and for one that compares counters where there are no
// earlier ones.
bool Examination::can_look(const Check& check) const {
  return check.looks == Looks::one || (check.looks == Looks::two && before != nullptr);
}

Diagnosis Examination::all() {
  counters = read_counters(*this);
  for (const Check* check : all_checks()) {
    if (!can_look(*check)) continue;
    check_ = check;
    diagnosis_.looked.insert(check->id);
    asking(std::string(check->title), [&] {
      check->look(*this);
      return 0;
    });
  }
  diagnosis_.counters = counters;
  sort(diagnosis_);
  return std::move(diagnosis_);
}

std::optional<std::string> Examination::text(const std::string& path) {
  if (const auto known = texts_.find(path); known != texts_.end()) return known->second;
  // The outer optional is empty where asking() could not read, the inner one where there is no file.
  std::optional<std::optional<std::string>> answer =
      asking(path, [&] { return std::make_optional<std::optional<std::string>>(snapshot.read(path)); });
  if (!answer) return std::nullopt;  // not stored: each check that asks notes it as unseen
  auto& text = texts_[path] = std::move(*answer);
  while (text && !text->empty() && (text->back() == '\n' || text->back() == ' ')) text->pop_back();
  return text;
}

std::optional<std::uint64_t> Examination::number(const std::string& path) {
  const auto read = text(path);
  std::uint64_t value = 0;
  if (!read || std::from_chars(read->data(), read->data() + read->size(), value).ec != std::errc{}) return std::nullopt;
  return value;
}

std::vector<std::string> Examination::names(const std::string& directory) {
  return asking(directory, [&] { return snapshot.list(directory); });
}

bool Examination::exists(const std::string& path) {
  return asking(path, [&] { return snapshot.exists(path); });
}

bool Examination::is_file(const std::string& path) {
  return asking(path, [&] {
    const auto& file = snapshot.file(path);
    return file && file->meta.type == FileType::regular;
  });
}

Finding& Examination::found(Subject subject, std::string symptom, std::string cause, std::string fix,
                            std::vector<Evidence> evidence) {
  return diagnosis_.findings.emplace_back(Finding{std::string(check_->id), check_->severity, std::move(subject),
                                                  std::move(symptom), std::move(cause), std::move(fix),
                                                  std::move(evidence)});
}

void Examination::unseen(const std::string& where, const std::string& reason) {
  if (check_ == nullptr) return;  // outside of a check: counters before the checks, --env, ports for --active
  const Unlooked one{std::string(check_->id), where, reason};
  auto& all = diagnosis_.unlooked;
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

const Link* Examination::interface_of(const RdmaDevice& device, const RdmaPort& port) {
  if (port.link_layer == LinkLayer::infiniband) return snapshot.port_link(port.guid);
  auto known = netdevs_.find({device.name, port.number});
  if (known == netdevs_.end()) {
    std::string netdev =
        asking("the network device of " + device.name, [&] { return snapshot.netdev(device.name, port.number); });
    known = netdevs_.emplace(std::pair(device.name, port.number), std::move(netdev)).first;
  }
  const std::string& name = known->second;
  return name.empty() ? nullptr : snapshot.link(name);
}

bool Examination::speaks_iwarp(const RdmaDevice& device) {
  constexpr std::uint64_t rnic = 4;  // RDMA_NODE_RNIC, include/rdma/ib_verbs.h
  return number(sysfs_of(device) + "node_type") == rnic;
}

bool Examination::has_systemd() {
  if (snapshot.systemd_answers()) return true;
  unseen("systemd", "it does not answer on the bus");
  return false;
}

bool Examination::has_module(const char* name) const {
  const ModuleStatus status = snapshot.module(ModuleName{name});
  return status == ModuleStatus::loaded || status == ModuleStatus::builtin;
}

Subject subject_of(const RdmaDevice& device, const RdmaPort& port) {
  return {About::port, fmt::format("{}/{}", device.name, port.number)};
}

std::string sysfs_of(const RdmaDevice& device) { return "/sys/class/infiniband/" + device.name + "/"; }

std::string sysfs_of(const RdmaDevice& device, const RdmaPort& port) {
  return fmt::format("{}ports/{}/", sysfs_of(device), port.number);
}

}  // namespace rdmastate::doctor
