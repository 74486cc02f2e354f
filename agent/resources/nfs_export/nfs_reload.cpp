// SPDX-License-Identifier: Apache-2.0
// find_taken() compares the exports in force with the files as the plan leaves them; find_brought() looks in files that
// the plan does not write for exports that are not in force yet.
#include "resources/nfs_export/nfs_reload.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/nfs_export_options.hpp"
#include "host/nfs_exports.hpp"
#include "resources/file/file.hpp"
#include "resources/nfs_export/nfs_export.hpp"

namespace rdmastate {
namespace {

using ExportsByFile = std::map<std::string, std::vector<NfsExport>, ExportsOrder>;

constexpr std::size_t most_told = 3;

ExportsByFile files_now(const Facts& facts) {
  ExportsByFile files;
  for (const auto& one : facts.exports) files[one.file].push_back({one.path, one.host, one.options});
  return files;
}

bool is_planned(const Scene& scene, const std::string& file) { return scene.plan.wanted(file_kind, file) != nullptr; }

// A file that the plan does not name stays as it is.
ExportsByFile files_then(const Scene& scene) {
  ExportsByFile files = files_now(scene.facts);
  for (const auto& [path, state] : scene.plan.wanted(file_kind)) {
    if (!is_exports_file(path)) continue;
    const auto* content = state ? &state->as<FileState>().content : nullptr;
    files[path] = content != nullptr && *content ? exports_in((*content)->value) : std::vector<NfsExport>();
  }
  return files;
}

ExportTable table_of(const ExportsByFile& files) {
  std::vector<NfsExport> all;
  for (const auto& [file, exports] : files) all.insert(all.end(), exports.begin(), exports.end());
  return ExportTable(std::move(all));
}

std::string name_of(const NfsExport& one) { return fmt::format("the export of {} to {}", one.path, one.host); }

// The hosts of exports of others that the table does not have under their paths. exportfs resolves symlinks in a path,
// so one of them may be in the table with another path.
ExportTable hosts_not_found(const Scene& scene) {
  std::vector<NfsExport> missing;
  for (const auto& one : scene.facts.exports)
    if (!is_planned(scene, one.file) && scene.snapshot.exports().in_force(one.path, one.host) == nullptr)
      missing.push_back({"", one.host, ""});
  return ExportTable(std::move(missing));
}

// The first few texts, and how many more there are.
std::vector<std::string> shortened(std::vector<std::string> texts, std::size_t all) {
  if (all > texts.size()) texts.push_back(fmt::format("and {} more exports change", all - texts.size()));
  return texts;
}

}  // namespace

NfsReload::NfsReload(const Scene& scene) : files_(table_of(files_now(scene.facts))) {
  find_taken(scene, table_of(files_then(scene)));
  find_brought(scene);
}

void NfsReload::find_taken(const Scene& scene, const ExportTable& then) {
  const ExportTable unknown = hosts_not_found(scene);
  for (const auto& present : scene.snapshot.exports().all()) {
    const NfsExport* after = then.written(present.path, present.host);
    if (after == nullptr && unknown.written("", present.host) != nullptr) continue;
    if (auto text = sentence_for(present, after); !text.empty())
      takes_.emplace(nfs_export_key(present.path, present.host), std::move(text));
  }
}

std::string NfsReload::sentence_for(const NfsExport& present, const NfsExport* then) const {
  if (then == nullptr) return name_of(present) + " ends, since no file has it";
  const std::string from = effective_options(present.options);
  const std::string to = effective_options(then->options);
  if (from == to) return {};
  const std::string change = fmt::format("{} gets {} in place of {}", name_of(present), to, from);
  if (!is_in_files(present)) return change + ", which no file has and no rollback brings back";
  return is_narrowed(from, to) ? change : std::string();
}

// Leaves out a line whose export has other options by an earlier line, which counts.
void NfsReload::find_brought(const Scene& scene) {
  for (const auto& one : scene.facts.exports) {
    if (is_planned(scene, one.file) || files_.written(one.path, one.host)->options != one.options) continue;
    const NfsExport* now = scene.snapshot.exports().in_force(one.path, one.host);
    const std::string to = effective_options(one.options);
    if (now == nullptr) {
      brings_.push_back(fmt::format("the export of {} to {} begins, since {} has it", one.path, one.host, one.file));
    } else if (to != effective_options(now->options) && !takes_.contains(nfs_export_key(now->path, now->host))) {
      brings_.push_back(fmt::format("{} gets {}, since {} says so", name_of(*now), to, one.file));
    }
  }
}

bool NfsReload::is_in_files(const NfsExport& present) const {
  const NfsExport* one = files_.written(present.path, present.host);
  return one != nullptr && effective_options(one->options) == effective_options(present.options);
}

std::string NfsReload::taken_from(const std::string& key) const {
  const auto found = takes_.find(key);
  return found == takes_.end() ? std::string() : found->second;
}

std::vector<std::string> NfsReload::taken_from_others(const std::string& key) const {
  std::vector<std::string> texts;
  for (auto one = takes_.begin(); one != takes_.end() && texts.size() < most_told; ++one)
    if (one->first != key) texts.push_back(one->second);
  return shortened(std::move(texts), takes_.size() - (takes_.contains(key) ? 1 : 0));
}

std::vector<std::string> NfsReload::brought_of_others() const {
  const auto few = static_cast<std::ptrdiff_t>(std::min(brings_.size(), most_told));
  return shortened({brings_.begin(), brings_.begin() + few}, brings_.size());
}

}  // namespace rdmastate
