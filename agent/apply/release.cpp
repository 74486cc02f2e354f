// SPDX-License-Identifier: Apache-2.0
// `release`: what rdmastate made stays as it is, and no later apply changes or removes it. At the end stand
// lost_by_release() and release_wish() of apply/apply.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "apply/apply.hpp"
#include "base/error.hpp"
#include "plan/applied.hpp"
#include "platform/layout.hpp"
#include "sections/boot_file.hpp"

namespace rdmastate {
namespace {

// Whether the release of that section lets the resource go. An empty section stands for all sections.
bool is_released(const Wanted& one, const std::string& section) {
  return section.empty() || section_of(one.path) == section;
}

// The resources of boot.json but for those that are let go. boot.json does not say which twins they had, so each gets
// one again: boot_file_text() takes the form boot_entry to mean that rdmastate makes the resource at boot, and any
// other form that its owner does.
Desired boot_file_without(std::string_view bytes, const std::string& section) {
  Desired kept = desired_from_boot_file(bytes);
  std::erase_if(kept.wanted, [&](const Wanted& one) { return is_released(one, section); });
  for (auto& one : kept.wanted) {
    one.twins = {boot_twin()};
    if (!one.awaited_from.empty()) one.twins.front().form = TwinForm::whole_file;
  }
  return kept;
}

// The wanted resources after the release: boot.json without those that are let go and, where nothing is left to make at
// boot, the removal of our link that makes systemd start rdmastate.service.
Desired desired_after(const std::optional<std::string>& boot_file, const Ledger& ledger, const std::string& section) {
  Desired desired;
  desired.backend = "none";  // is only printed
  if (!boot_file) return desired;
  const std::string path(common_layout().boot_file);
  const Desired left = in_context(path, [&] { return boot_file_without(*boot_file, section); });
  desired.add(boot_file_of(boot_file_text(left)));
  Wanted link = boot_unit_link(/*is_there=*/false, /*section=*/"");  // it would start a unit that has nothing to do
  const bool is_ours = ledger.find(link.kind->name, link.key) != nullptr;
  const bool makes_something = std::any_of(left.wanted.begin(), left.wanted.end(), is_made_at_boot);
  if (!makes_something && is_ours) desired.add(std::move(link));
  return desired;
}

// The text of the applied spec without the released section; empty where all sections are released, or the kept spec
// cannot be read.
std::string applied_after(const Snapshot& snapshot, const std::string& section) {
  KeptSpec kept = read_kept_spec(snapshot);
  if (!kept.loaded) return {};
  forget_section(kept.loaded->spec, section);
  return applied_text(kept.loaded->spec);
}

}  // namespace

std::vector<std::string> lost_by_release(Host& host, const std::string& section) {
  std::vector<std::string> lost;
  const auto bytes = host.files.read(std::string(common_layout().boot_file));
  if (!bytes) return lost;
  const Desired boot =
      in_context(std::string(common_layout().boot_file), [&] { return desired_from_boot_file(*bytes); });
  for (const auto& one : boot.wanted)
    if (is_released(one, section) && one.awaited_from.empty())
      lost.push_back(fmt::format("{} {}", one.kind->name, one.kind->title(one.key, &*one.state)));
  return lost;
}

Wish release_wish(Host& host, const std::string& section) {
  const Snapshot snapshot(host);
  const Ledger ledger = read_ledger(snapshot, read_facts(snapshot).machine_id);
  Wish wish;
  wish.options.id = ledger.id;
  wish.options.release = section;
  if (auto kept = section.empty() ? "" : applied_after(snapshot, section); !kept.empty())
    wish.applied = [kept] { return kept; };
  wish.desire = [desired = desired_after(host.files.read(std::string(common_layout().boot_file)), ledger, section)](
                    const Facts&, const std::vector<Impossible>&, Report&) { return desired; };
  return wish;
}

}  // namespace rdmastate
