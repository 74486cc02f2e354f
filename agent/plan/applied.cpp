// SPDX-License-Identifier: Apache-2.0
// Flow of spec_of_host(): still_applied() reads the kept spec and plans it on the host. A section of which an item is
// changed is taken out (what_holds()); adopt() finds those sections, and all that is foreign, in the host's files.
#include "plan/applied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "plan/planner.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "spec/desire.hpp"
#include "yaml/writer.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view heading =
    "# The spec that rdmastate applied last, with what it includes: for `rdmastate show --as-spec`. Nothing else reads it.\n";

std::string path_of_kept() { return std::string(common_layout().applied); }

// Why the kept spec is not used, as a sentence.
std::string unusable(std::string_view why) {
  return fmt::format("{}: {}, so the host is told from its own files", path_of_kept(), why);
}

KeptSpec load_kept(std::string text) {
  KeptSpec kept;
  Report report;
  kept.loaded = load_spec(path_of_kept(), std::move(text), report);
  if (kept.loaded && !report.failed()) return kept;
  kept.loaded.reset();
  kept.trouble = unusable("it does not read as rdmastate wrote it");
  return kept;
}

Plan plan_of_kept(Snapshot& snapshot, const Facts& facts, const LoadedSpec& loaded, const Ledger& ledger) {
  Wish wish;
  wish.options.id = ledger.id;
  wish.desire = [&](const Facts& known, const std::vector<Impossible>& impossible, Report& report) {
    return desire(loaded, known, impossible, report);
  };
  return plan_of(snapshot, facts, wish, &ledger);
}

// Whether the item is no longer as it was applied: it has a step now or later, is blocked by now, is unseen, or is not
// wanted.
bool is_changed(const Item& item) {
  return item.has_step() || !item.gap.after.empty() || !item.gap.blocked.empty() || !item.gap.unseen.empty() ||
         item.cause == Cause::forgotten || item.cause == Cause::released;
}

// The section that asks for the item, or asked for it when it was applied.
std::string section_that_asked(const Item& item, const Ledger& ledger) {
  const LedgerEntry* entry = item.wanted() == nullptr ? ledger.find(item.kind->name, item.key) : nullptr;
  return entry != nullptr ? entry->section.value_or("") : section_of(item.asked.path);
}

// A section is changed where one of its resources is, or a file that brings one back at the next boot.
std::set<std::string> changed_sections(const Plan& plan, const Ledger& ledger) {
  std::set<Ref> changed;
  std::set<std::string> sections;
  for (const auto& item : plan.items) {
    if (!is_changed(item) || item.cause == Cause::purged) continue;
    sections.insert(section_that_asked(item, ledger));
    changed.insert({item.kind->name, item.stands_for.empty() ? item.key : item.stands_for});
  }
  for (const auto& item : plan.items)
    for (const auto& twin : item.asked.twins)
      if (changed.contains(twin.file)) sections.insert(section_of(item.asked.path));
  return sections;
}

bool purges_something(const Plan& plan) {
  return std::any_of(plan.items.begin(), plan.items.end(),
                     [](const Item& item) { return item.cause == Cause::purged && item.has_step(); });
}

// What of the applied spec still holds on the host, by the plan of that spec.
Applied what_holds(const Spec& spec, const Plan& plan, const Ledger& ledger) {
  Applied applied{.spec = spec, .source = path_of_kept()};
  for (const auto& section : changed_sections(plan, ledger)) forget_section(applied.spec, section);
  applied.sections = sections_of(applied.spec);
  if (purges_something(plan)) applied.spec.purge.clear();  // so that this spec removes nothing that others made since
  for (const auto& item : plan.items)
    if (item.wanted() != nullptr && applied.holds(section_of(item.asked.path)))
      applied.resources.insert({item.kind->name, item.key});
  return applied;
}

std::optional<Ledger> ledger_of(const Snapshot& snapshot, const Facts& facts) {
  try {
    return read_ledger(snapshot, facts.machine_id);
  } catch (const Error&) {
    return std::nullopt;  // `plan` says why it cannot be read; here adopt() finds all in the host's files
  }
}

Applied still_applied(Snapshot& snapshot, const Facts& facts, std::string& trouble) {
  const auto ledger = ledger_of(snapshot, facts);
  if (!ledger || ledger->entries.empty()) return {};
  KeptSpec kept = read_kept_spec(snapshot);
  trouble = std::move(kept.trouble);
  if (!kept.loaded) return {};
  if (kept.loaded->spec.id_or_default() != ledger->id) {
    trouble = unusable("the ledger is of another spec");
    return {};
  }
  try {
    return what_holds(kept.loaded->spec, plan_of_kept(snapshot, facts, *kept.loaded, *ledger), *ledger);
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_spec) throw;
    trouble = unusable("it does not fit this host any more");
    return {};
  }
}

}  // namespace

std::string applied_text(const Spec& spec) { return std::string(heading) + yaml::to_yaml_of(spec); }

std::string why_none_is_kept(const Snapshot& snapshot) {
  const FileObservation seen = observe_file(snapshot, path_of_kept());
  const auto* present = std::get_if<FileState>(&seen);
  return present == nullptr ? "" : type_clash(path_of_kept(), *present, regular_file(""));
}

KeptSpec read_kept_spec(const Snapshot& snapshot) {
  try {
    auto text = snapshot.read(path_of_kept());
    return text ? load_kept(std::move(*text)) : KeptSpec{};
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    return {std::nullopt, unusable("this user may not read it")};
  }
}

Adopted spec_of_host(Snapshot& snapshot, const Facts& facts) {
  std::string trouble;
  const Applied applied = still_applied(snapshot, facts, trouble);
  Adopted adopted = adopt(snapshot, facts, applied);
  if (!trouble.empty()) adopted.left_out.push_back(std::move(trouble));
  return adopted;
}

}  // namespace rdmastate
