// SPDX-License-Identifier: Apache-2.0
// The third column: what the twin of a volatile resource says today about the next boot.
#include <fmt/format.h>

#include <unordered_map>

#include "plan/boot_reader.hpp"
#include "plan/plan.hpp"
#include "plan/winners.hpp"
#include "platform/layout.hpp"
#include "sections/boot_file.hpp"

namespace rdmastate {
namespace {

// Reads twins: a file that will not change already says what the spec says, whatever is in it.
class Twins {
 public:
  Twins(const Snapshot& snapshot, const Plan& plan) : snapshot_(snapshot) {
    for (const auto& item : plan.items)
      if (item.kind->durable) files_.emplace(item.stands_for.empty() ? item.key : item.stands_for, &item);
  }

  /// Who reads boot.json, where it is anything's twin.
  const std::optional<BootReader>& reader() const { return reader_; }

  NextBoot state(const Wanted& wanted, const Twin& twin) {
    const auto file = files_.find(twin.file.key);
    if (file == files_.end()) return NextBoot::unknown;
    const Item& item = *file->second;
    if (std::holds_alternative<Unseen>(item.observed)) return NextBoot::unknown;
    if (twin.form == TwinForm::boot_entry && !is_read()) return NextBoot::absent;  // whatever the file says
    if (item.gap.in_sync()) return NextBoot::as_spec;
    if (state_of(item.observed) == nullptr) return NextBoot::absent;
    switch (twin.form) {
      case TwinForm::whole_file:
        return NextBoot::differs;
      case TwinForm::line:
        return has_line(twin.file.key, twin.line.empty() ? wanted.key : twin.line) ? NextBoot::as_spec
                                                                                   : NextBoot::absent;
      case TwinForm::boot_entry:
        return entry(twin.file.key, wanted);
    }
    return NextBoot::unknown;
  }

 private:
  std::string_view bytes(const std::string& path) {
    const auto& file = snapshot_.file(path);
    return file ? std::string_view(file->bytes) : std::string_view();
  }
  bool has_line(const std::string& path, const std::string& line) {
    return fmt::format("\n{}", bytes(path)).find(fmt::format("\n{}\n", line)) != std::string::npos;
  }
  bool is_read() {
    if (!reader_) reader_ = find_boot_reader(snapshot_);
    return reader_->reads();
  }
  NextBoot entry(const std::string& path, const Wanted& wanted) {
    if (!entries_) entries_ = boot_entries(bytes(path));
    const auto found = entries_->find(fmt::format("{} {}", wanted.kind->name, wanted.key));
    if (found == entries_->end()) return NextBoot::absent;
    return found->second == boot_entry(wanted) ? NextBoot::as_spec : NextBoot::differs;
  }

  const Snapshot& snapshot_;
  std::optional<BootReader> reader_;
  std::unordered_map<std::string, const Item*> files_;
  std::optional<std::map<std::string, std::string>> entries_;
};

// Once, of the file, and not of each thing that it would bring back. It is written all the same: it counts as soon as
// its reader is there. What starts the unit is a link of ours, so the plan sees to that itself.
void say_who_is_missing(const std::optional<BootReader>& reader, Plan& plan) {
  Item* file = wanted_file(plan, common_layout().boot_file);
  if (!reader || reader->missing.empty() || file == nullptr || !file->gap.pending.empty()) return;
  file->gap.pending = reader->missing;
  file->called = fmt::format("{} {}", file->kind->name, file->kind->title(file->key, file->wanted()));
}

}  // namespace

void fill_next_boot(const Snapshot& snapshot, const Desired& desired, Plan& plan) {
  Twins twins(snapshot, plan);
  Winners winners(snapshot, desired, plan);
  for (auto& item : plan.items) {
    item.twins.clear();
    item.twins.reserve(item.asked.twins.size());
    for (const auto& twin : item.asked.twins) {
      const NextBoot state = worse(twins.state(item.asked, twin), winners.judge(item.asked, twin, item));
      item.twins.push_back({state, twin.fields});
      item.next_boot = worse(item.next_boot, state);
    }
    if (item.gap.never && !item.kind->durable) item.next_boot = worse(item.next_boot, NextBoot::absent);
  }
  winners.tell_rest(plan);
  say_who_is_missing(twins.reader(), plan);
}

}  // namespace rdmastate
