// SPDX-License-Identifier: Apache-2.0
#include "base/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace rdmastate {

std::uint32_t Report::add_source(std::string name, std::string text) {
  sources_.push_back({std::move(name), std::move(text)});
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

void Report::add(Place place, std::string path, Complaint complaint) {
  const bool is_error = complaint.severity == Severity::error;
  failed_ = failed_ || is_error;
  if (diagnostics_.size() == kept_at_most) return note_more();
  if (is_error) ++errors_;
  diagnostics_.push_back({place, std::move(path), std::move(complaint)});
}

void Report::note_unread(const Report& reading) {
  unread_.insert(reading.unread_.begin(), reading.unread_.end());
  for (const auto& one : reading.diagnostics_)
    if (one.complaint.severity == Severity::error) unread_.insert(one.path);
}

bool Report::is_unread(std::string_view path) const {
  for (auto one = unread_.lower_bound(path); one != unread_.end() && one->starts_with(path); ++one)
    if (one->size() == path.size() || (*one)[path.size()] == '.' || (*one)[path.size()] == '[') return true;
  return false;
}

void Report::sort() {
  const auto key = [](const Diagnostic& d) { return std::tie(d.place.source, d.place.line, d.place.column); };
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

}  // namespace rdmastate
