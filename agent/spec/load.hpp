// SPDX-License-Identifier: Apache-2.0
// From a spec's bytes to a Spec, with every mistake of a phase at once.
#pragma once

#include <optional>
#include <string>

#include "base/report.hpp"
#include "sections/spec.hpp"
#include "yaml/node.hpp"

namespace rdmastate {

/// A spec and the text it came from, kept so that later mistakes can be placed.
struct LoadedSpec {
  Spec spec;
  yaml::Document document;
};

/// Phases: bytes, syntax, then structure and rules together. nullopt where the tree could not be built; otherwise
/// whether the spec may be used is what `report` knows. `name` is what messages call the file.
std::optional<LoadedSpec> load_spec(std::string name, std::string bytes, Report& report);

/// Places what was found about `loaded` by its path, and sorts all by place.
void place(const LoadedSpec& loaded, Report& report);

}  // namespace rdmastate
