// SPDX-License-Identifier: Apache-2.0
#include "doctor/spec_findings.hpp"

#include <fmt/format.h>

#include "base/ascii.hpp"
#include "plan/print.hpp"

namespace rdmastate::doctor {
namespace {

constexpr Check spec_table[] = {
    {"spec-differs", Severity::error, "The host is not as the spec says, and apply would change it",
     "`doctor SPEC` plans the spec. What a step would move is not as the spec says: somebody changed it, or the spec was "
     "never applied. `rdmastate plan SPEC` prints the whole of it.",
     nullptr, Looks::plans},
    {"spec-blocked", Severity::error, "What the spec says cannot be, as this host is",
     "A module, a device, a partition or a package is missing, or an expectation (`expect`) is not met. The sentence says what "
     "and how to mend it; apply does the independent rest.",
     nullptr, Looks::plans},
    {"spec-pending", Severity::warning, "What the spec says waits for something else",
     "The next boot, the restart of a service of yours, or another program has to come first. The sentence says which.",
     nullptr, Looks::plans},
    {"spec-unseen", Severity::warning, "Whether the host is as the spec says could not be seen",
     "This user may not read what the spec is about, or the record does not hold it, so nothing is known of it: it may be "
     "as the spec says or not. Look again as root, or make the record anew as root.",
     nullptr, Looks::plans},
};

// "run as root" is "Run as root."
std::string as_sentence(std::string clause) {
  if (!clause.empty()) clause[0] = ascii::upper(clause[0]);
  return clause + ".";
}

Finding finding(const Check& check, const Item& item, const std::string& symptom, const std::string& cause,
                const std::string& fix) {
  return {std::string(check.id),
          check.severity,
          {About::resource, item.title().empty() ? item.key : item.title()},
          symptom,
          cause,
          fix,
          {}};
}

std::vector<Evidence> columns_of(const Item& item) {
  std::vector<Evidence> all;
  for (const auto& column : item.columns)
    all.push_back({column.field,
                   fmt::format("spec {}, live {}, next boot {}", column.spec, column.live, to_text(column.next_boot))});
  return all;
}

void add(const Item& item, const std::string& spec, const std::string& who_sees, Diagnosis& to) {
  const auto& [differs, blocked, pending, unseen] = spec_table;
  const auto say = [&](const Check& check, const std::string& symptom, const std::string& cause,
                       const std::string& fix) {
    to.findings.push_back(finding(check, item, symptom, cause, fix));
    to.findings.back().evidence = columns_of(item);
  };
  const std::string apply = fmt::format("`rdmastate apply {}`.", spec);
  if (!item.gap.blocked.empty())
    say(blocked, item.gap.blocked, "The spec asks for what this host cannot be now.", "Do what the symptom says.");
  if (!item.warning.empty() && item.gap.blocked.empty())
    say(blocked, item.warning, "The spec asks for what does not work now.", "Do what the symptom says.");
  if (!item.gap.unseen.empty()) say(unseen, item.gap.unseen, "It could not be read.", as_sentence(who_sees));
  if (item.has_step()) say(differs, step_line(item), "The host is not what the spec says.", apply);
  if (!item.gap.after.empty())
    say(differs, (item.gap.comes_along ? "it comes with " : "it can be planned only after ") + item.gap.after,
        "Something that it needs is not there yet.", apply);
  if (!item.gap.pending.empty())
    say(pending, item.gap.pending.sentence, "A restart, the next boot or another program has to come first.",
        "Do what the symptom says.");
}

FilePlaces spec_places() { return {}; }

}  // namespace

void add_findings(const Plan& plan, const std::string& spec, const std::string& who_sees, Diagnosis& to) {
  for (const auto& item : plan.items) add(item, spec, who_sees, to);
  for (const auto& path : plan.facts.unseen) to.unlooked.push_back({"spec-unseen", path, who_sees});
  for (const auto& check : spec_table) to.looked.insert(check.id);
  sort(to);
}

const CheckFamily spec_checks{spec_table, spec_places};

}  // namespace rdmastate::doctor
