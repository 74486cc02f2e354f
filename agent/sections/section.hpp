// SPDX-License-Identifier: Apache-2.0
// The interface of a section: it checks a spec, expands it into wanted resources and adopts a host. The first two are
// pure.
#pragma once

#include <span>
#include <string_view>

#include "base/report.hpp"
#include "resources/step.hpp"
#include "resources/wanted.hpp"
#include "sections/adopt.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

/// A section of the spec: its functions, as a constant in the file named after it. A function that a section does not
/// have is nothing() (resources/kind.hpp), whose answer is empty.
struct Section {
  std::string_view name;
  /// Rules that need no host. Adds diagnostics by path; never throws.
  void (*check)(const Spec&, Report&);
  /// Adds the resources that the section wants of this host. Rules that need facts add diagnostics by path.
  void (*expand)(const Spec&, const Facts&, Backend, Desired&, Report&);
  /// Adds to the spec what is on this host: the inverse of expand.
  void (*adopt)(const Adoption&, Adopted&);
  /// Where the files are that the section may write or take over.
  FilePlaces (*places)() = nothing;
  /// What other hosts lose by a step of one of the section's resources, as sentences; `wanted` is all that is wanted of
  /// this host.
  std::vector<std::string> (*felt)(const Facts&, const Step&, std::span<const Wanted* const> wanted) = nothing;
  /// The foreign settings that affect other hosts and are no longer in force once all that is wanted is there.
  std::vector<Displaced> (*displaces)(const Facts&, std::span<const Wanted* const> wanted) = nothing;
};

/// Every section of sections/list.hpp, in its order.
std::span<const Section* const> all_sections();

#define RDMASTATE_DECLARE(name, type, doc) extern const Section name##_section;
RDMASTATE_SECTIONS(RDMASTATE_DECLARE)
#undef RDMASTATE_DECLARE

/// Chooses the back end and expands every section. desire() (spec/desire.hpp) calls it, and then add_consequences().
/// Nothing is wanted where no back end can be used, which is reported. Do not use the result where `report` has errors
/// afterwards. `adopting`: with --adopt, the sections keep what others configured, where they can.
Desired expand_sections(const Spec& spec, const Facts& facts, Report& report, bool adopting = false);
/// Adds what follows from all that is wanted: the initrd, boot.json, directories.
void add_consequences(const Spec& spec, const Facts& facts, Desired& desired);

/// Whether `modules.load` of the spec has this module.
bool loads(const Spec& spec, const std::string& module);

/// Adds an error (complain) or a warning (warn) at a path of the spec. `hint` says what to do; empty: no hint.
void complain(Report& report, std::string path, std::string message, std::string hint = {});
void warn(Report& report, std::string path, std::string message, std::string hint = {});
/// Adds an error about hardware that these facts do not have. A live host may only not have it yet
/// (Complaint::comes_late).
void complain_of_absent(const Facts& facts, Report& report, std::string path, std::string message,
                        std::string hint = {});

}  // namespace rdmastate
