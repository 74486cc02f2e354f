// SPDX-License-Identifier: Apache-2.0
#include "plan/ownership.hpp"

#include <fmt/format.h>

#include "host/mark.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

std::string_view bytes_of(const FileState& file) {
  return file.content ? std::string_view(file.content->value) : std::string_view();
}

// Whether it is a link as `systemctl enable` makes it, to a unit of its own name. It is nobody's: systemd goes by that
// name, whatever directory the link leads to.
bool is_enablement(const std::string& path, const FileState& file) {
  const std::string directory = parent_path(path);
  return file.type == FileType::symlink && (directory.ends_with(".wants") || directory.ends_with(".requires")) &&
         file_name(bytes_of(file)) == file_name(path);
}

bool says_the_same(const FileState& present, const FileState& wanted) {
  return present.type == wanted.type && present.content == wanted.content;
}

}  // namespace

bool is_whole_file(const Kind& kind) { return kind.durable && kind.lives_in == nullptr && !kind.copies_others; }

Ownership::Ownership(const Snapshot& snapshot, const Ledger& ledger) : snapshot_(snapshot) {
  for (const auto& entry : ledger.entries)
    if (const Kind* kind = kind_named(entry.kind); kind != nullptr && is_whole_file(*kind)) {
      listed_.insert(entry.key);
      if (entry.origin == Origin::made) made_.insert(entry.key);
    }
  has_ledger_ = !ledger.entries.empty();
}

bool Ownership::is_lost(const FileState& file) const {
  return !has_ledger_ && file.type == FileType::regular && carries_mark(bytes_of(file));
}

Owner Ownership::of_path(const std::string& path) const {
  if (listed_.contains(path)) return Owner::ours;
  const FileObservation seen = observe_file(snapshot_, path);
  const auto* file = std::get_if<FileState>(&seen);
  return file != nullptr && is_lost(*file) ? Owner::lost : Owner::foreign;
}

Owner Ownership::of(const Item& item) const {
  const State* present = state_of(item.observed);
  if (present == nullptr || !is_whole_file(*item.kind)) return Owner::nobody;
  const FileState& file = file_of(*present);
  if (file.type == FileType::directory) return Owner::nobody;
  if (listed_.contains(item.key)) return Owner::ours;
  if (is_lost(file)) return Owner::lost;
  const bool same = item.wanted() != nullptr && says_the_same(file, file_of(*item.wanted()));
  return same || is_enablement(item.key, file) ? Owner::nobody : Owner::foreign;
}

std::optional<Cause> Ownership::cause_of(const Claimant& one, bool adopt) const {
  if (!one.made_from.empty() && listed_.contains(one.made_from)) return Cause::goes_with;
  if (of_path(one.claim.path) == Owner::lost) return Cause::taken_up;
  if (one.purged && !one.holds_more) return Cause::purged;
  return adopt && !one.holds_more ? std::optional(Cause::adopted) : std::nullopt;
}

std::string refusal_of(const Claimant& one) {
  if (one.purged)
    return fmt::format(
        "{} ({}) configures {}, which is to be purged: it holds more than that; take {} out of it by hand",
        one.claim.path, one.claim.manager, one.claim.interface, one.what);
  const std::string fix =
      one.holds_more
          ? fmt::format("it holds more than that; take {} out of it by hand", one.what)
          : fmt::format("take {} out of it, or let --adopt take the file over (the original is kept in the run)",
                        one.what);
  return fmt::format("{} ({}) configures {}, which this spec names: {}", one.claim.path, one.claim.manager,
                     one.claim.interface, fix);
}

std::string refusal_of(const Item& item) {
  const bool marked = carries_mark(bytes_of(file_of(*state_of(item.observed))));
  return fmt::format(
      "{} is there already and not rdmastate's: {} has no entry of it{}, and this spec {}: move it away, or let --adopt take "
      "it over (the original is kept in the run)",
      item.key, common_layout().ledger, marked ? ", although it carries rdmastate's mark" : "",
      item.wanted() != nullptr ? "says what is in it" : "wants nothing there");
}

}  // namespace rdmastate
