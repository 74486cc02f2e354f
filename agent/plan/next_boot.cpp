// SPDX-License-Identifier: Apache-2.0
// The third column: what the twin of a volatile resource says today about the next boot.
#include <fmt/format.h>

#include <unordered_map>

#include "plan/plan.hpp"
#include "platform/layout.hpp"
#include "resources/file.hpp"
#include "sections/boot_file.hpp"

namespace rdmastate {
namespace {

// Reads twins: a file that will not change already says what the spec says, whatever is in it.
class Twins {
 public:
  Twins(const Snapshot& snapshot, const Plan& plan) : snapshot_(snapshot) {
    for (const auto& item : plan.items)
      if (item.kind->durable) files_.emplace(item.key, &item);
  }

  NextBoot state(const Wanted& wanted, const Twin& twin) {
    const auto file = files_.find(twin.file.key);
    if (file == files_.end()) return NextBoot::unknown;
    const Item& item = *file->second;
    if (std::holds_alternative<Unseen>(item.observed)) return NextBoot::unknown;
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
  NextBoot entry(const std::string& path, const Wanted& wanted) {
    if (!entries_) entries_ = boot_entries(bytes(path));
    const auto found = entries_->find(fmt::format("{} {}", wanted.kind->name, wanted.key));
    if (found == entries_->end()) return NextBoot::absent;
    return found->second == boot_entry(wanted) ? NextBoot::as_spec : NextBoot::differs;
  }

  const Snapshot& snapshot_;
  std::unordered_map<std::string, const Item*> files_;
  std::optional<std::map<std::string, std::string>> entries_;
};

// The worst of several twins is what the next boot will be like.
NextBoot worse(NextBoot a, NextBoot b) { return std::max(a, b); }

}  // namespace

void fill_next_boot(const Snapshot& snapshot, const Desired& desired, Plan& plan) {
  Twins twins(snapshot, plan);
  for (std::size_t i = 0; i < desired.wanted.size(); ++i) {
    Item& item = plan.items[i];
    item.twins.clear();
    item.twins.reserve(desired.wanted[i].twins.size());
    for (const auto& twin : desired.wanted[i].twins) {
      const NextBoot state = twins.state(desired.wanted[i], twin);
      item.twins.push_back({state, twin.fields});
      item.next_boot = worse(item.next_boot, state);
    }
  }
}

}  // namespace rdmastate
