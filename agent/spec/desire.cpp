// SPDX-License-Identifier: Apache-2.0
// Flow of desire(): the sections expand the whole spec into wanted resources. Where this host can never have some of
// them (Impossible), a Reduction takes parts out of the spec until the rest can be had, and expands that rest. merged()
// then takes from the whole what is volatile or impossible, and from the rest what is durable.
#include "spec/desire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "platform/platform.hpp"
#include "resources/without.hpp"
#include "sections/section.hpp"
#include "spec/remainder.hpp"

namespace rdmastate {
namespace {

using KindAndKey = std::pair<const Kind*, std::string>;
KindAndKey name_of(const Wanted& one) { return {one.kind, one.key}; }

// What a spec asks for after all that is impossible was taken out of it.
struct Rest {
  Desired desired;
  std::set<KindAndKey> names;  ///< of all in `desired`
};

class Reduction {
 public:
  Reduction(const LoadedSpec& loaded, const Facts& facts, const std::vector<Impossible>& impossible, bool adopting)
      : loaded_(loaded), facts_(facts), adopting_(adopting) {
    for (const auto& one : impossible) {
      if (one.fields.empty()) whole_.emplace(one.kind, one.key);
      take_out(one);
    }
  }

  // Takes out more until no mistake is left: a record that needs an impossible field is taken out too, and so on
  // upwards. It also ends where a mistake stands and nothing more can be taken out: what was expanded so far is kept.
  Rest reduce() {
    for (;;) {
      Report report;
      const Remainder remainder = without(loaded_, gone_, report);
      Desired desired;
      if (!report.failed()) desired = expand_sections(remainder.spec, facts_, report, adopting_);
      for (auto& one : desired.wanted) one.path = remainder.path_in_whole(one.path);
      if (take_out_more(report, remainder, desired)) continue;
      Rest rest{std::move(desired), {}};
      for (const auto& one : rest.desired.wanted) rest.names.insert(name_of(one));
      return rest;
    }
  }

 private:
  // Takes out what stands at the path, or the longest beginning of it that still stands; false when nothing does.
  bool take_out(std::string_view path) {
    const std::string standing = standing_at(loaded_, path, gone_);
    return !standing.empty() && gone_.insert(standing).second;
  }

  void take_out(const Impossible& one) {
    if (one.fields.empty()) take_out(one.path);
    for (const auto field : one.fields) take_out(fmt::format("{}.{}", one.path, field));
  }

  // Takes out what the mistakes and the resources that are impossible as a whole stand at; false when there are none.
  bool take_out_more(const Report& report, const Remainder& remainder, const Desired& desired) {
    bool is_changed = false;
    for (const auto& one : report.diagnostics())
      if (one.complaint.severity == Severity::error) is_changed |= take_out(remainder.path_in_whole(one.path));
    for (const auto& one : desired.wanted)
      if (whole_.contains(name_of(one))) is_changed |= take_out(one.path);
    return is_changed;
  }

  const LoadedSpec& loaded_;
  const Facts& facts_;
  bool adopting_;
  std::set<KindAndKey> whole_;  ///< resources that are impossible as a whole
  std::set<std::string> gone_;  ///< paths of the spec that are taken out
};

// Whether the state has a value beside those that tell resources apart.
bool says_anything(const State& state) {
  for (const auto& field : state.kind().record().fields)
    if (!field.rules.identity && field.look(state.raw()) != nullptr) return true;
  return false;
}

// The state without the impossible fields, which its twins may still ask for; nullopt: nothing is left.
std::optional<State> reduced(const State& state, const std::vector<std::string_view>& fields) {
  if (fields.empty()) return std::nullopt;
  State rest = without(state, [&](const FieldInfo& field) {
    return std::find(fields.begin(), fields.end(), field.name) != fields.end();
  });
  return says_anything(rest) ? std::optional(std::move(rest)) : std::nullopt;
}

// Removes twins that would ask for what is impossible: files, and the entry of boot.json when nothing of the state is
// left.
void reduce_twins(const std::map<KindAndKey, const Impossible*>& impossible, const std::set<KindAndKey>& in_rest,
                  Wanted& one) {
  const auto found = impossible.find(name_of(one));
  if (found != impossible.end() && one.state) one.at_boot = reduced(*one.state, found->second->fields);
  const bool is_lost = found != impossible.end() && !one.at_boot;
  const bool has_no_file = !in_rest.contains(name_of(one));
  std::erase_if(one.twins,
                [&](const Twin& twin) { return is_lost || (has_no_file && twin.form != TwinForm::boot_entry); });
  if (has_no_file && !one.awaited_from.empty())
    one.waits = fmt::format("nothing is written for it, since {} asks for what this host can never have", one.path);
}

// Impossible and volatile resources as the whole spec wants them, all other durable ones as the rest wants them.
Desired merged(Desired whole, Rest rest, const std::vector<Impossible>& impossible) {
  std::map<KindAndKey, const Impossible*> by_name;
  for (const auto& one : impossible) by_name.emplace(KindAndKey{one.kind, one.key}, &one);
  std::vector<Wanted> all = std::move(whole.wanted);
  whole.wanted.clear();
  std::set<KindAndKey> added;
  for (auto& one : all) {
    if (by_name.contains(name_of(one))) {
      added.insert(name_of(one));
    } else if (one.kind->durable) {
      if (!rest.names.contains(name_of(one))) whole.kept.push_back({one.kind->name, one.key});
      continue;
    }
    reduce_twins(by_name, rest.names, one);
    whole.add(std::move(one));
  }
  for (auto& one : rest.desired.wanted)
    if (one.kind->durable && !added.contains(name_of(one))) whole.add(std::move(one));
  return whole;
}

}  // namespace

Desired desire(const LoadedSpec& loaded, const Facts& facts, const std::vector<Impossible>& impossible, Report& report,
               bool adopting) {
  if (std::string why = why_too_old(facts); !why.empty())
    report.add("version", {std::move(why), "", "such a host needs a newer release of its system", Severity::error});
  if (report.failed()) return {};
  Desired desired = expand_sections(loaded.spec, facts, report, adopting);
  if (report.failed()) return desired;
  if (!impossible.empty())
    desired = merged(std::move(desired), Reduction(loaded, facts, impossible, adopting).reduce(), impossible);
  add_consequences(loaded.spec, facts, desired);  // the initrd, boot.json, directories
  return desired;
}

}  // namespace rdmastate
