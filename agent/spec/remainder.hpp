// SPDX-License-Identifier: Apache-2.0
// A spec less what a host can never have.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "spec/load.hpp"

namespace rdmastate {

/// A spec as if some of its records and fields had not been written.
struct Remainder {
  Spec spec;
  /// Of each list that lacks something, by its path in the whole spec: which of its items are left.
  std::map<std::string, std::vector<std::size_t>> left = {};

  /// Where that stands in the whole spec which is at this path here: "ipoib[1].mode" of "ipoib[0].mode".
  std::string path_in_whole(std::string_view path) const;
};

/// Takes out what stands at these paths of the whole spec. What is then no spec any more is in `report`, by its path in
/// the whole.
Remainder without(const LoadedSpec& whole, const std::set<std::string>& paths, Report& report);

/// The nearest path at or above this one at which something stands that is not within one of `gone`; empty: nothing.
std::string standing_at(const LoadedSpec& whole, std::string_view path, const std::set<std::string>& gone);

}  // namespace rdmastate
