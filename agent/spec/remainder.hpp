// SPDX-License-Identifier: Apache-2.0
// Takes out of a spec the records and fields that a host can never have, and tells which path in the whole spec belongs
// to a path in the rest.
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
  /// For each list that lost items, by its path in the whole spec: the indices there of the items that are left.
  std::map<std::string, std::vector<std::size_t>> left = {};

  /// The path in the whole spec for a path in `spec`: "ipoib[1].mode" for "ipoib[0].mode" when ipoib[0] was taken out.
  std::string path_in_whole(std::string_view path) const;
};

/// The whole spec without the records and fields at `paths`. Checks what is left, and reports its mistakes by their
/// paths in the whole spec.
Remainder without(const LoadedSpec& whole, const std::set<std::string>& paths, Report& report);

/// The longest beginning of `path` that the whole spec has and that is not within one of `gone`; empty: there is none.
std::string standing_at(const LoadedSpec& whole, std::string_view path, const std::set<std::string>& gone);

}  // namespace rdmastate
