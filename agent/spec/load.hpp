// SPDX-License-Identifier: Apache-2.0
// From a spec's bytes to a Spec, with every mistake of a phase at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "sections/spec.hpp"
#include "spec/include.hpp"
#include "yaml/node.hpp"

namespace rdmastate {

/// A spec and the texts it came from, kept so that later mistakes can be placed.
struct LoadedSpec {
  Spec spec;
  std::vector<yaml::Document> documents;  ///< the spec's own first, then what it includes
  yaml::Node root;                        ///< all of them as one
};

/// Checks a spec in phases: bytes, syntax (of included files too), then structure and rules together. nullopt when a
/// file could not be read or parsed; otherwise use the result only when report.failed() is false. Messages call the
/// file `name`, and the paths of included files are relative to its directory.
std::optional<LoadedSpec> load_spec(std::string name, std::string bytes, Report& report,
                                    const IncludeReader& reader = {});

/// Gives each diagnostic that has only a path its file, line and column in `loaded`, and sorts all by them.
void locate(const LoadedSpec& loaded, Report& report);

}  // namespace rdmastate
