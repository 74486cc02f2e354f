// SPDX-License-Identifier: Apache-2.0
// Flow of load_spec(): bytes -> nodes, of included files too -> a Spec by the field tables -> the checks of its top
// level (version, id) and of all sections -> each mistake at its place.
#include "spec/load.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "sections/section.hpp"
#include "yaml/load.hpp"
#include "yaml/reader.hpp"

namespace rdmastate {
namespace {

// 1 to 64 letters, digits, '-', '_' and '.'.
bool is_good_id(const std::string& id) { return !id.empty() && id.size() <= 64 && ascii::holds_only(id, "-_."); }

// Checks the fields of the top level. A version that is missing was reported by yaml::read() already.
void check_top(const Spec& spec, const yaml::Node& root, Report& report) {
  if (root.value("version") != nullptr && spec.version != 1)
    complain(report, "version", fmt::format("version {} of this format is not known", spec.version),
             "this rdmastate reads version: 1");
  if (spec.id && !is_good_id(*spec.id))
    complain(report, "id",
             fmt::format("'{}' is no valid id: letters, digits, '.', '_' and '-', at most 64", printable(*spec.id)));
}

// Runs all checks of the spec, and drops what they report of values that could not be read.
void check_rules(const LoadedSpec& loaded, Report& report) {
  if (report.has_more()) return;  // the report is full
  Report rules;
  rules.note_unread(report);  // sections may ask it; what they report all the same is left out below
  check_top(loaded.spec, loaded.root, rules);
  for (const Section* section : all_sections()) section->check(loaded.spec, rules);
  for (const auto& one : rules.diagnostics())
    if (!rules.is_unread(one.path)) report.add(one.path, one.complaint);
  if (rules.has_more()) report.note_more();
}

}  // namespace

std::optional<LoadedSpec> load_spec(std::string name, std::string bytes, Report& report, const IncludeReader& reader) {
  auto document = yaml::load(std::move(name), std::move(bytes), report);
  if (!document) return std::nullopt;  // its mistakes have their places already, as those of includes below
  LoadedSpec loaded;
  loaded.documents.push_back(std::move(*document));
  const auto root = with_includes(loaded.documents, reader, report);
  if (!root) return std::nullopt;
  loaded.root = *root;
  yaml::read(loaded.root, loaded.spec, "", report);
  check_rules(loaded, report);
  locate(loaded, report);
  return loaded;
}

void locate(const LoadedSpec& loaded, Report& report) {
  report.locate([&](std::string_view path) { return yaml::place_of(loaded.root, path); });
  report.sort();
}

}  // namespace rdmastate
