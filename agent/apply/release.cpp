// SPDX-License-Identifier: Apache-2.0
// `release`: what rdmastate made stays as it is, and is nobody's: no later apply changes or removes it.
#include "apply/apply.hpp"
#include "platform/layout.hpp"
#include "resources/file.hpp"
#include "sections/boot_file.hpp"

namespace rdmastate {
namespace {

// boot.json's text without what is let go; "" when nothing is left of it.
std::string text_without(std::string_view bytes, const std::string& section) {
  Desired kept = desired_from_boot_file(bytes);
  std::erase_if(kept.wanted, [&](const Wanted& one) { return section.empty() || section_of(one.path) == section; });
  for (auto& one : kept.wanted) one.twins = {boot_twin()};
  return boot_file_text(kept);
}

Wanted file_of(std::string_view path, std::optional<State> state) {
  return {&file_kind, std::string(path), std::move(state), "", "", {}};
}

Desired desired_after(const std::optional<std::string>& boot_file, const Ledger& ledger, const std::string& section) {
  const auto& layout = common_layout();
  Desired desired;
  desired.backend = "none";
  if (!boot_file) return desired;
  std::string text = in_context(std::string(layout.boot_file), [&] { return text_without(*boot_file, section); });
  if (!text.empty()) {
    desired.add(file_of(layout.boot_file, State(file_kind, regular_file(std::move(text)))));
    return desired;
  }
  desired.add(file_of(layout.boot_file, std::nullopt));
  const bool ours = ledger.find(file_kind.name, std::string(layout.wants_link)) != nullptr;
  if (ours) desired.add(file_of(layout.wants_link, std::nullopt));  // it would start a unit that has nothing to do
  return desired;
}

}  // namespace

Wish release_wish(Host& host, const std::string& section) {
  const Snapshot snapshot(host);
  const Ledger ledger = read_ledger(snapshot, read_facts(snapshot).machine_id);
  Wish wish;
  wish.options.id = ledger.id;
  wish.options.release = section;
  wish.desire = [desired = desired_after(host.files.read(std::string(common_layout().boot_file)), ledger, section)](
                    const Facts&) { return desired; };
  return wish;
}

}  // namespace rdmastate
