// SPDX-License-Identifier: Apache-2.0
// What a section can do: judge what was written, and say which resources it means. Both are pure.
#pragma once

#include <span>
#include <string_view>

#include "base/report.hpp"
#include "resources/wanted.hpp"
#include "sections/adopt.hpp"
#include "sections/spec.hpp"

namespace rdmastate {

struct Section {
  std::string_view name;
  /// Rules that need no host. Adds diagnostics by path; never throws.
  void (*check)(const Spec&, Report&);
  /// Resources, for this host; rules that need facts add diagnostics by path.
  void (*expand)(const Spec&, const Facts&, Backend, Desired&, Report&);
  /// What is on this host, as it would stand in a spec: expand's inverse.
  void (*adopt)(const Adoption&, Adopted&);
};

/// Every section there is: the one list.
std::span<const Section* const> all_sections();

extern const Section modules_section;
extern const Section rdma_section;
extern const Section devices_section;
extern const Section soft_devices_section;
extern const Section ipoib_section;
extern const Section nfs_section;
extern const Section memlock_section;
extern const Section permissions_section;
extern const Section subnet_manager_section;

/// All of it: chooses the back end, expands every section, adds what follows from the whole (boot.json, directories).
/// Where `report` has errors afterwards the result is not to be used.
Desired expand(const Spec& spec, const Facts& facts, Report& report);

/// Whether the spec's own list of modules has this one.
bool loads(const Spec& spec, const std::string& module);

/// Adds one mistake at a path.
void complain(Report& report, std::string path, std::string message, std::string hint = {});
void warn(Report& report, std::string path, std::string message, std::string hint = {});

}  // namespace rdmastate
