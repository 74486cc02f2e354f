// SPDX-License-Identifier: Apache-2.0
#include "sections/adopt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "platform/layout.hpp"
#include "sections/boot_file.hpp"
#include "sections/ipoib/backends/backend.hpp"
#include "yaml/writer.hpp"

namespace rdmastate {
namespace {

// What is made at boot: what is only awaited stands behind it, and its owner's files say more of it.
Desired boot_of(const Snapshot& snapshot) {
  const auto text = snapshot.read(std::string(common_layout().boot_file));
  if (!text) return {};
  Desired boot = desired_from_boot_file(*text);
  std::erase_if(boot.wanted, [](const Wanted& one) { return !one.awaited_from.empty(); });
  return boot;
}

// Whoever moves the interfaces now: as rdmastate's own files say, first boot.json; else as `auto` chooses.
Backend backend_of(const Facts& facts, const Desired& boot) {
  const auto rows = all_backends();
  const auto used =
      std::find_if(rows.rbegin(), rows.rend(), [&](const auto* row) { return row->is_used(facts, boot); });
  if (used != rows.rend()) return (*used)->backend;
  Report ignored;
  return choose_backend(Spec{}, facts, ignored).value_or(BackendChoice{}).backend;
}

std::string comment(std::string_view text) {
  std::string lines = "# ";
  for (const char c : printable(text)) lines += c == '\n' ? ' ' : c;
  return lines + "\n";
}

}  // namespace

std::string Adoption::boot_line(std::size_t index) const {
  return place_of(std::string(common_layout().boot_file), index + 2);
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

Adopted adopt(const Snapshot& snapshot, const Facts& facts) {
  Adoption from{snapshot, facts, Backend::none, boot_of(snapshot)};
  from.backend = backend_of(facts, from.boot);
  Adopted to;
  to.spec.version = 1;
  for (const Section* section : all_sections()) section->adopt(from, to);
  if (to.spec.ipoib.empty()) return to;
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
