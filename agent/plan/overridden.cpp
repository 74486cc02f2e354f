// SPDX-License-Identifier: Apache-2.0
// Flow: for each wanted file find_overrides() asks readings_of() which programs read it with other files; read_others()
// reads these; who_wins() compares each setting of rdmastate's file with those of the others, in the order in which
// they are read.
#include "plan/overridden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/error.hpp"
#include "host/look_at.hpp"
#include "host/ordered_files.hpp"
#include "platform/read_order.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {
namespace {

// When a foreign file is read, against one of rdmastate; `apart`: in no order with it, and it counts more.
enum class Read : std::uint8_t { before, after, apart };

Read when_read(ReadOrder order, const std::string& theirs, const std::string& ours) {
  if (order == ReadOrder::apart) return Read::apart;
  if (order == ReadOrder::before_all) return Read::before;
  const int compared =
      order == ReadOrder::by_version ? ::strverscmp(theirs.c_str(), ours.c_str()) : theirs.compare(ours);
  return compared < 0 ? Read::before : Read::after;
}

std::string_view relation(Read read) {
  switch (read) {
    case Read::before:
      return " and is read before ";
    case Read::after:
      return " and is read after ";
    case Read::apart:
      break;
  }
  return ", which counts more than ";
}

// Whether a foreign setting wins over one of rdmastate that sets the same thing. The last one that is read counts; or,
// in formats where `first` is set, the first one. A `final` setting is changed by nothing that is read later. One that
// `adds` (+=, -=) never wins.
bool is_stronger(Read read, const Setting& ours, const Setting& theirs) {
  if (theirs.adds) return false;
  if (read == Read::apart) return true;
  if (ours.first) return read == Read::before;
  return read == Read::after ? !ours.final : theirs.final;
}

// A foreign file, when it is read, and the settings in it. `unseen`: this user may not read it, or the directory at
// `path`.
struct Other {
  std::string path;
  Read read = Read::apart;
  bool unseen = false;
  bool may_be_final = false;  ///< as Reading has it
  Settings settings = {};
};

// Whether a foreign file that this user may not read may hold what wins over this setting.
bool may_win(const Setting& ours, const Other& other) {
  switch (other.read) {
    case Read::before:
      return ours.first || other.may_be_final;
    case Read::after:
      return !ours.first && !ours.final;
    case Read::apart:
      break;
  }
  return true;
}

Override override_by_unseen(const Setting& ours, const std::string& path, const Other& other) {
  return {ours, /*certain=*/false,
          fmt::format("{} is read with {}, may say otherwise, and this user may not read it: run as root", other.path,
                      path)};
}

Override override_by(const Setting& ours, const std::string& path, const Other& other, const Setting& theirs,
                     bool certain) {
  return {ours, certain,
          fmt::format("{} says {}{}{}, so that {}: take it out there", other.path, theirs.text, relation(other.read),
                      path, certain ? "counts" : "may count")};
}

// The foreign files that win, or may win, over one setting of rdmastate's file at `path`. `others` are in the order of
// reading.
std::vector<Override> who_wins(const Setting& ours, const std::string& path, const std::vector<Other>& others) {
  std::vector<Override> winners;
  for (const auto& other : others) {
    if (other.unseen && may_win(ours, other)) winners.push_back(override_by_unseen(ours, path, other));
    for (const auto& theirs : other.settings) {
      if (theirs.what != ours.what || !is_stronger(other.read, ours, theirs)) continue;
      const Meets met = meets(ours.when, theirs.when);  // are both about one device?
      const bool certain = met == Meets::always;
      const bool is_decided = certain && (ours.first || theirs.final);
      if (met == Meets::never) continue;
      if (certain && !ours.first) winners.clear();  // theirs wins over the files read before it, too
      if (theirs.value != ours.value) winners.push_back(override_by(ours, path, other, theirs, certain));
      if (is_decided) return winners;  // what is read later cannot win any more
    }
  }
  return winners;
}

// The foreign files that the program of `reading` reads with the file at `path`, in their order, without the `known`
// ones. First the directories that this user may not list.
std::vector<Other> read_others(const Snapshot& snapshot, const Reading& reading, const std::string& path,
                               const std::set<std::string>& known) {
  const std::vector<std::string_view> directories(reading.directories.begin(), reading.directories.end());
  std::vector<std::string> closed;
  const auto files = files_that_count(snapshot, directories, reading.suffix, closed);
  std::vector<std::pair<std::string, std::string>> ordered(files.begin(), files.end());
  if (reading.order == ReadOrder::by_version)
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return ::strverscmp(a.first.c_str(), b.first.c_str()) < 0; });
  std::vector<Other> others;
  for (const auto& directory : closed) others.push_back({.path = directory, .read = Read::apart, .unseen = true});
  for (const auto& [name, file] : ordered) {
    if (file == path || known.contains(file)) continue;
    std::vector<std::string> unseen;
    Other other{
        .path = file, .read = when_read(reading.order, name, file_name(path)), .may_be_final = reading.may_be_final};
    look_at(file, unseen, [&] { other.settings = reading.settings(snapshot.read(other.path).value_or("")); });
    other.unseen = !unseen.empty();
    others.push_back(std::move(other));
  }
  return others;
}

std::vector<Override> overrides_of(const Snapshot& snapshot, const std::string& path, std::string_view text,
                                   const std::set<std::string>& known) {
  std::vector<Override> found;
  for (const auto& reading : readings_of(path)) {
    const Settings ours = reading.own_settings(text);
    if (ours.empty()) continue;
    const auto others = read_others(snapshot, reading, path, known);
    for (const auto& setting : ours)
      for (auto& one : who_wins(setting, path, others)) found.push_back(std::move(one));
  }
  return found;
}

// The files that the plan moves or refuses already.
std::set<std::string> known_files(const Desired& desired, const Plan& plan) {
  std::set<std::string> known;
  for (const auto& item : plan.items)
    if (item.kind->durable) known.insert(item.kind->file_of_key(item.key));
  for (const auto& one : desired.claimants) known.insert(one.claim.path);
  return known;
}

}  // namespace

std::map<std::string, std::vector<Override>> find_overrides(const Snapshot& snapshot, const Desired& desired,
                                                            const Plan& plan) {
  std::map<std::string, std::vector<Override>> all;
  const std::set<std::string> known = known_files(desired, plan);
  for (const auto& item : plan.items) {
    if (!item.kind->durable || item.wanted() == nullptr || item.kind->lives_in != nullptr) continue;
    if (readings_of(item.key).empty()) continue;
    const FileState& file = file_of(*item.wanted());
    if (file.type != FileType::regular || !file.content) continue;
    if (auto found = overrides_of(snapshot, item.key, file.content->value, known); !found.empty())
      all.emplace(item.key, std::move(found));
  }
  return all;
}

}  // namespace rdmastate
