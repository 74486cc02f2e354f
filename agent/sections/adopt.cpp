// SPDX-License-Identifier: Apache-2.0
// adopt() begins with what still holds of the applied spec (Applied), then lets each section add what boot.json, files
// and the live host say beyond it (Section::adopt), and says last which back end configures the interfaces.
#include "sections/adopt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "platform/layout.hpp"
#include "resources/registry.hpp"
#include "sections/boot_file.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "yaml/writer.hpp"

namespace rdmastate {
namespace {

// The resources that rdmastate makes at boot. Those that boot.json only awaits stand behind them and are left out:
// their owners' files say more of them. Empty where there is no boot.json.
Desired made_at_boot(const Snapshot& snapshot) {
  const auto text = snapshot.read(std::string(common_layout().boot_file));
  if (!text) return {};
  Desired boot = desired_from_boot_file(*text);
  std::erase_if(boot.wanted, [](const Wanted& one) { return !one.awaited_from.empty(); });
  return boot;
}

// The back end that configures the interfaces now: as the applied spec says, else as rdmastate's own files say
// (boot.json first), else as `auto` chooses.
Backend backend_of(const Adoption& from) {
  const auto rows = all_backends();
  const auto in_use =  // back end none, which goes by boot.json, is the last row
      std::find_if(rows.rbegin(), rows.rend(), [&](const auto* row) { return row->is_used(from.facts, from.boot); });
  const bool is_applied = from.applied.holds("ipoib");
  if (!is_applied && in_use != rows.rend()) return (*in_use)->backend;
  Report ignored;
  return choose_backend(is_applied ? from.applied.spec : Spec{}, from.facts, ignored).backend;
}

// A section's member of Spec is a vector (a list of records) or an optional (one struct): sections/list.hpp.
template <class T>
constexpr bool is_vector(const std::vector<T>&) {
  return true;
}
template <class T>
constexpr bool is_vector(const std::optional<T>&) {
  return false;
}

template <class T>
bool is_said(const std::vector<T>& section) {
  return !section.empty();
}
template <class T>
bool is_said(const std::optional<T>& section) {
  return section.has_value();
}

// Whether the section is a list of records. A list is adopted even where the applied spec has it: other programs may
// have added to what it lists. Any other section of the applied spec is complete.
bool is_list(const Spec& spec, std::string_view name) {
#define RDMASTATE_IS_LIST(section, type, doc) \
  if (name == #section) return is_vector(spec.section);
  RDMASTATE_SECTIONS(RDMASTATE_IS_LIST)
#undef RDMASTATE_IS_LIST
  return false;
}

std::string comment(std::string_view text) {
  std::string lines = "# ";
  for (const char c : printable(text)) lines += c == '\n' ? ' ' : c;
  return lines + "\n";
}

}  // namespace

std::string Adoption::boot_line(std::size_t index) const {
  return place_of(std::string(common_layout().boot_file), index + 2);  // line 1 is the file's head
}

void forget_section(Spec& spec, std::string_view name) {
#define RDMASTATE_FORGET(section, type, doc) \
  if (name == #section) spec.section = {};
  RDMASTATE_SECTIONS(RDMASTATE_FORGET)
#undef RDMASTATE_FORGET
}

std::set<std::string, std::less<>> sections_of(const Spec& spec) {
  std::set<std::string, std::less<>> names;
#define RDMASTATE_IS_SAID(section, type, doc) \
  if (is_said(spec.section)) names.emplace(#section);
  RDMASTATE_SECTIONS(RDMASTATE_IS_SAID)
#undef RDMASTATE_IS_SAID
  return names;
}

bool Adoption::is_applied_file(const std::string& path) const {
  return std::any_of(applied.resources.begin(), applied.resources.end(),
                     [&](const Ref& one) { return one.key == path && kind_named(one.kind)->durable; });
}

std::vector<std::pair<std::size_t, std::string>> numbered_lines(std::string_view text) {
  std::vector<std::pair<std::size_t, std::string>> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(lines.size() + 1, text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string place_of(const std::string& path, std::size_t line) { return fmt::format("{}:{}", path, line); }

Adopted adopt(const Snapshot& snapshot, const Facts& facts, const Applied& applied) {
  Adoption from{snapshot, facts, applied, Backend::none, made_at_boot(snapshot)};
  from.backend = backend_of(from);
  Adopted to;
  to.spec = applied.spec;
  to.spec.version = 1;
  for (const auto& section : applied.sections) to.came_from(section, applied.source);
  for (const Section* section : all_sections())
    if (!applied.holds(section->name) || is_list(to.spec, section->name)) section->adopt(from, to);
  if (to.spec.ipoib.empty() || applied.holds("ipoib")) return to;
  to.spec.network = NetworkSection{from.backend};
  const auto* manager = facts.manager(to_text(from.backend));
  to.came_from("network.backend", manager != nullptr ? manager->evidence : "nobody else configures interfaces here");
  return to;
}

std::string adopted_text(const Adopted& adopted, Comments comments) {
  std::string text;
  for (const auto& sentence : adopted.left_out) text += comment("left out: " + sentence);
  text += yaml::to_yaml_of(adopted.spec);
  if (comments == Comments::left_out) return text;
  for (const auto& one : adopted.sources) text += comment(one.path + ": " + one.source);
  return text;
}

}  // namespace rdmastate
