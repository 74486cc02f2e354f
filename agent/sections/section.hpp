// SPDX-License-Identifier: Apache-2.0
// What a section can do: judge what was written, and say which resources it means. Both are pure.
#pragma once

#include <span>
#include <string_view>

#include "base/report.hpp"
#include "resources/step.hpp"
#include "resources/wanted.hpp"
#include "sections/adopt.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

/// A section of the spec: its functions, as a constant in the file named after it.
struct Section {
  std::string_view name;
  /// Rules that need no host. Adds diagnostics by path; never throws.
  void (*check)(const Spec&, Report&);
  /// Resources, for this host; rules that need facts add diagnostics by path.
  void (*expand)(const Spec&, const Facts&, Backend, Desired&, Report&);
  /// What is on this host, as it would stand in a spec: expand's inverse.
  void (*adopt)(const Adoption&, Adopted&);
  /// Where the files are that it may write or take over.
  FilePlaces (*places)() = nothing;
  /// What other hosts feel of a step of one of its files, as sentences; `wanted` is all that is wanted of this host.
  std::vector<std::string> (*felt)(const Facts&, const Step&, std::span<const Wanted* const> wanted) = nothing;
  /// What of others' configuration, which other hosts feel, is out of force once all that is wanted is there.
  std::vector<Displaced> (*displaces)(const Facts&, std::span<const Wanted* const> wanted) = nothing;
};

/// Every section of sections/list.hpp, in its order.
std::span<const Section* const> all_sections();

#define RDMASTATE_DECLARE(name, type, doc) extern const Section name##_section;
RDMASTATE_SECTIONS(RDMASTATE_DECLARE)
#undef RDMASTATE_DECLARE

/// All of it: the sections, and what follows from the whole. Where `report` has errors afterwards the result is not to
/// be used.
Desired expand(const Spec& spec, const Facts& facts, Report& report);
/// The first half: chooses the back end and expands every section. `adopting`: as Desired::adopting.
Desired expand_sections(const Spec& spec, const Facts& facts, Report& report, bool adopting = false);
/// The second: adds what follows from all that is wanted (the initrd, boot.json, directories).
void add_consequences(const Spec& spec, const Facts& facts, Desired& desired);

/// Whether the spec's own list of modules has this one.
bool loads(const Spec& spec, const std::string& module);

/// Adds one mistake at a path.
void complain(Report& report, std::string path, std::string message, std::string hint = {});
void warn(Report& report, std::string path, std::string message, std::string hint = {});

}  // namespace rdmastate
