// SPDX-License-Identifier: Apache-2.0
// The column `next boot`: what the twins of a volatile resource say today about the next boot.
//
// Flow of fill_next_boot(): for each twin Winners says whether foreign files win over it, and Twins::states() whether
// it has the resource as the spec wants it: by its file as a whole, a line of that file, or an entry of boot.json.
#include <fmt/format.h>

#include <unordered_map>

#include "base/error.hpp"
#include "base/fields_diff.hpp"
#include "base/lines.hpp"
#include "plan/boot_reader.hpp"
#include "plan/ledger_index.hpp"
#include "plan/plan.hpp"
#include "plan/winners.hpp"
#include "platform/layout.hpp"
#include "platform/read_order.hpp"
#include "sections/boot_file.hpp"

namespace rdmastate {
namespace {

// "dscp" of the change "dscp.26".
std::string field_of(const FieldChange& change) { return change.path.substr(0, change.path.find_first_of(".[")); }

// Whether the file on the disk is as wanted. Its runtime fields do not count: they say what a program that runs now has
// read, and a boot reads the file again.
bool is_durably_so(const Item& item) {
  if (item.gap.in_sync()) return true;
  const State* now = state_of(item.observed);
  if (item.wanted() == nullptr || now == nullptr) return false;
  const Record& record = item.kind->record();
  const auto changes = diff(record, now->raw(), item.wanted()->raw());
  return std::all_of(changes.begin(), changes.end(),
                     [&](const FieldChange& change) { return record.find(field_of(change))->rules.runtime; });
}

// Whether the text gives another value to a setting of `line`, for the same devices.
bool says_otherwise(const std::string& path, std::string_view text, std::string_view line) {
  for (const auto& reading : readings_of(path)) {
    const Settings theirs = reading.settings(text);
    for (const auto& ours : reading.settings(line))
      if (std::any_of(theirs.begin(), theirs.end(), [&](const Setting& one) {
            return one.what == ours.what && one.when == ours.when && one.value != ours.value;
          }))
        return true;
  }
  return false;
}

Desired read_boot_file(std::string_view text) {
  try {
    return desired_from_boot_file(text);
  } catch (const Error&) {
    return {};  // `apply --boot` makes nothing of it either
  }
}

// Finds what the twins say now. A file that is as wanted says what the spec says, so its text is not read.
class Twins {
 public:
  Twins(const Snapshot& snapshot, const Plan& plan) : snapshot_(snapshot), ledger_(plan.ledger) {
    for (const auto& item : plan.items)
      if (item.kind->durable) files_.emplace(item.stands_for.empty() ? item.key : item.stands_for, File{&item});
  }

  /// Who reads boot.json; nullopt: states() had no need to find out.
  const std::optional<BootReader>& reader() const { return reader_; }

  /// What the twin says of the fields that it covers. The last state is that of all these fields which no other state
  /// names.
  std::vector<TwinState> states(const Wanted& wanted, const Twin& twin) {
    std::vector<TwinState> states;
    if (const auto whole = state_of_file(twin)) {
      states.push_back({*whole, twin.fields});
    } else if (twin.form == TwinForm::line) {
      states.push_back({state_of_line(twin.file.key, twin.line.empty() ? wanted.key : twin.line), twin.fields});
    } else if (twin.form == TwinForm::boot_entry || is_told_by_boot_file(wanted, twin)) {
      states = states_by_entry(wanted, twin);
    } else {
      states.push_back({NextBoot::differs, twin.fields});
    }
    return states;
  }

 private:
  struct File {
    const Item* item;
    std::optional<bool> is_as_wanted = {};  ///< found once, since many resources may have one twin
    std::optional<bool> is_as_left = {};    ///< as the last apply left it
  };
  /// The state by the file as a whole; nullopt: the file is there and not as wanted, so its text has to be read.
  std::optional<NextBoot> state_of_file(const Twin& twin) {
    const auto file = files_.find(twin.file.key);
    if (file == files_.end()) return NextBoot::unknown;
    const Item& item = *file->second.item;
    if (std::holds_alternative<Unseen>(item.observed)) return NextBoot::unknown;
    if (twin.form == TwinForm::boot_entry && !is_read()) return NextBoot::absent;  // whatever the file says
    if (!file->second.is_as_wanted) file->second.is_as_wanted = is_durably_so(item);
    if (*file->second.is_as_wanted) return NextBoot::as_spec;
    return state_of(item.observed) == nullptr ? std::optional(NextBoot::absent) : std::nullopt;
  }
  // Whether the file is as the last apply left it.
  bool is_as_left(const std::string& path) {
    const auto found = files_.find(path);
    if (found == files_.end()) return false;
    File& file = found->second;
    if (!file.is_as_left) {
      const State* now = state_of(file.item->observed);
      const LedgerEntry* entry = ledger_.find(file.item->kind->name, file.item->key);
      file.is_as_left = now != nullptr && entry != nullptr && entry->digest == digest(*now);
    }
    return *file.is_as_left;
  }
  // A file that its owner reads (such as NetworkManager's profile) is not parsed: as long as neither file was changed,
  // boot.json says the same, since one apply wrote both.
  bool is_told_by_boot_file(const Wanted& wanted, const Twin& twin) {
    return !wanted.awaited_from.empty() && is_as_left(twin.file.key) && is_as_left(boot_path_);
  }
  std::string_view bytes(const std::string& path) {
    const auto& file = snapshot_.file(path);
    return file ? std::string_view(file->bytes) : std::string_view();
  }
  bool has_line(const std::string& path, const std::string& line) {
    bool found = false;
    for_lines(bytes(path), [&](std::string_view one) { found = found || one == line; });
    return found;
  }
  // Whether the next boot reads boot.json.
  bool is_read() {
    if (!reader_) reader_ = find_boot_reader(snapshot_);
    return reader_->reads();
  }
  NextBoot state_of_line(const std::string& path, const std::string& line) {
    if (has_line(path, line)) return NextBoot::as_spec;
    return says_otherwise(path, bytes(path), line) ? NextBoot::differs : NextBoot::absent;
  }
  // The state in the resource's entry of boot.json, with the same owner or none; nullptr: there is no such entry.
  const State* boot_entry_of(const Wanted& wanted) {
    if (!boot_) {
      boot_ = read_boot_file(bytes(boot_path_));
      for (const auto& one : boot_->wanted)
        entries_.emplace(Entry{{one.kind->name, one.key}, one.awaited_from}, &*one.state);
    }
    const auto found = entries_.find({{wanted.kind->name, wanted.key}, wanted.awaited_from});
    return found == entries_.end() ? nullptr : found->second;
  }
  // What the resource's entry of boot.json says: fields that differ from the spec or are absent there, then all others.
  std::vector<TwinState> states_by_entry(const Wanted& wanted, const Twin& twin) {
    const State* at_boot = boot_entry_of(wanted);
    if (at_boot == nullptr) return {{NextBoot::absent, twin.fields}};
    std::vector<TwinState> states;
    const State& asked = wanted.at_boot ? *wanted.at_boot : *wanted.state;
    for (const auto& change : diff(wanted.kind->record(), at_boot->raw(), asked.raw()))
      states.push_back({change.from ? NextBoot::differs : NextBoot::absent, {field_of(change)}});
    if (!twin.fields.empty())
      std::erase_if(states, [&](const TwinState& one) {
        return std::find(twin.fields.begin(), twin.fields.end(), one.fields[0]) == twin.fields.end();
      });
    states.push_back({NextBoot::as_spec, twin.fields});
    return states;
  }

  using Entry = std::pair<Ref, std::string>;  ///< the resource, and its owner; "": rdmastate makes it
  const std::string boot_path_{common_layout().boot_file};
  const Snapshot& snapshot_;
  LedgerIndex ledger_;
  std::optional<BootReader> reader_;
  std::unordered_map<std::string, File> files_;
  std::optional<Desired> boot_;
  std::map<Entry, const State*> entries_;  ///< of boot_
};

// Where the next boot cannot make what boot.json says, that file is pending: once, and not each resource in it. The
// file is written all the same, since it counts as soon as the package is there. That nothing starts the unit is not
// said here: the plan makes the link that does.
void say_who_is_missing(const std::optional<BootReader>& reader, Plan& plan) {
  Item* file = wanted_file(plan, common_layout().boot_file);
  if (!reader || reader->missing.empty() || file == nullptr || !file->gap.pending.empty()) return;
  file->gap.pending = reader->missing;
  file->called = fmt::format("{} {}", file->kind->name, file->kind->title(file->key, file->wanted()));
}

// The next boot by the twin (`ours`) and by the foreign files that win over it (`theirs`): the worse of the two. But
// where the twin is absent and a foreign file sets another value, that value is there at boot: `differs`.
NextBoot in_the_end(NextBoot ours, NextBoot theirs) {
  return theirs == NextBoot::differs && ours == NextBoot::absent ? theirs : worse(ours, theirs);
}

}  // namespace

void fill_next_boot(const Snapshot& snapshot, const Desired& desired, Plan& plan) {
  Twins twins(snapshot, plan);
  Winners winners(snapshot, desired, plan);
  for (auto& item : plan.items) {
    item.twins.clear();
    item.twins.reserve(item.asked.twins.size());
    for (const auto& twin : item.asked.twins) {
      const NextBoot by_others = winners.judge(item.asked, twin, item);
      for (TwinState& one : twins.states(item.asked, twin)) {
        one.state = in_the_end(one.state, by_others);
        item.next_boot = worse(item.next_boot, one.state);
        item.twins.push_back(std::move(one));
      }
    }
    // No file asks for what this host can never have (Gap::never).
    if (item.gap.never && !item.kind->durable) item.next_boot = worse(item.next_boot, NextBoot::absent);
  }
  winners.tell_rest(plan);
  say_who_is_missing(twins.reader(), plan);
}

}  // namespace rdmastate
