// SPDX-License-Identifier: Apache-2.0
#include "cli/wish.hpp"

#include <fmt/format.h>

#include <set>

#include "base/error.hpp"
#include "cli/output.hpp"
#include "plan/applied.hpp"
#include "spec/desire.hpp"
#include "sys/memory.hpp"

namespace rdmastate {
namespace {

// How many bytes of memory a plan needs for each byte of its spec. All of them are asked of the kernel at once. What
// that saves of the processor time of a plan of 1000 interfaces that finds nothing to do depends on the machine: in one
// virtual machine 84 ms instead of 156 on back end networkmanager and 45 instead of 83 on none, in another 67 instead
// of 72 and 38 instead of 40.
constexpr std::size_t memory_per_byte = 128;

}  // namespace

// A spec and the files that it includes share directories, which would give the same sentence again: it is told once.
void warn_of_writers(const std::string& sentence) {
  static std::set<std::string> told;
  if (told.insert(sentence).second) talk("warning: " + sentence);
}

IncludeReader include_reader(const std::string& path, SpecTrust trust) {
  if (path == "-") return {};
  return [trust](const std::string& directory, const std::string& name) {
    return read_included(directory, name, trust, warn_of_writers);
  };
}

namespace {

std::unique_ptr<SpecFile> loaded_from(std::string name, std::string bytes, const IncludeReader& reader,
                                      const Options& options) {
  auto file = std::make_unique<SpecFile>();
  expect_memory(bytes.size() * memory_per_byte);
  file->loaded = load_spec(std::move(name), std::move(bytes), file->report, reader);
  const bool tells_warnings = options.form == OutputForm::text || options.form == OutputForm::github;
  if (!file->report.diagnostics().empty() && (file->report.failed() || tells_warnings))
    print_report(file->report, options);
  return file->report.failed() || !file->loaded ? nullptr : std::move(file);
}

// Reads included files from the saved plan, never from the disk.
IncludeReader saved_reader(const std::vector<Source>& sources) {
  return [&sources](const std::string& directory, const std::string& name) {
    for (const auto& source : sources)
      if (source.name == directory + name) return source.text;
    throw Error(fmt::format("the saved plan does not hold {}{}", directory, name));
  };
}

}  // namespace

std::unique_ptr<SpecFile> open_spec(const Options& options) {
  const std::string& path = options.spec();
  // A saved plan is applied with the spec that is in it.
  const bool is_applied = options.command == "apply" || !options.out.empty();
  const SpecTrust trust = is_applied ? SpecTrust::owner_only : SpecTrust::group_too;
  std::string bytes = read_spec(path, trust, warn_of_writers);
  return loaded_from(path == "-" ? "standard input" : path, std::move(bytes), include_reader(path, trust), options);
}

std::unique_ptr<SpecFile> open_saved(const SavedPlan& saved, const Options& options) {
  const Source& spec = saved.sources.front();
  return loaded_from(spec.name, spec.text, saved_reader(saved.sources), options);
}

void print_remarks(const Plan& plan, const Options& options) {
  if (!plan.remarks.diagnostics().empty() && options.form == OutputForm::text) print_report(plan.remarks, options);
}

namespace {

// "slurmd" is "slurmd.service", as systemctl(1) takes it.
std::string unit_name(const std::string& name) {
  return name.find('.') == std::string::npos ? name + ".service" : name;
}

// The wish for the spec with all options but those of a saved plan. `adopting`: --adopt was given, now or to the saved
// plan.
Wish wish_with_options(SpecFile& file, const Options& options, bool adopting) {
  Wish wish;
  wish.options.id = file.loaded->spec.id_or_default();
  wish.applied = [&file] { return applied_text(file.loaded->spec); };
  wish.options.adopt = options.adopt;
  wish.options.replace = options.replace;
  wish.options.bake = options.bake;
  wish.options.allow_fabric = options.allow_fabric;
  wish.options.max_disruption = options.max_disruption;
  wish.options.confirm_within = options.confirm_within;
  wish.options.in_use.insert(options.in_use.begin(), options.in_use.end());
  wish.place = [&file](Report& report) { locate(*file.loaded, report); };
  for (const auto& unit : options.restart) wish.options.restart.insert(unit_name(unit));
  wish.desire = [&file, adopting](const Facts& facts, const std::vector<Impossible>& impossible, Report& report) {
    for (const auto& source : file.report.sources()) report.add_source(source.name, source.text);
    Desired desired = desire(*file.loaded, facts, impossible, report, adopting);
    locate(*file.loaded, report);
    return desired;
  };
  return wish;
}

}  // namespace

Wish wish_of(SpecFile& file, const Options& options) { return wish_with_options(file, options, options.adopt); }

Wish wish_of(SpecFile& file, const SavedPlan& saved, const Options& options) {
  Wish wish = wish_with_options(file, options, saved.options.adopt);
  wish.options = saved.options;
  wish.options.confirm_within = options.confirm_within;  // said when it is applied: the deadline counts from then
  wish.options.id = file.loaded->spec.id_or_default();
  wish.objections = [&saved](const Plan& plan) {
    auto found = differences(saved, plan);
    for (auto& one : found) one = "the saved plan does not hold any more: " + one;
    return found;
  };
  return wish;
}

}  // namespace rdmastate
