// SPDX-License-Identifier: Apache-2.0
// The type of an entry of a spec's field `include`, which names other files that belong to the spec.
#pragma once

#include <string>

#include "base/text.hpp"

namespace rdmastate {

/// Another spec's file, relative to the directory of the file that names it; never absolute.
struct IncludePath {
  std::string value;  ///< without "." and empty parts
  auto operator<=>(const IncludePath&) const = default;
};
template <>
struct Text<IncludePath> {
  static constexpr std::string_view wanted = "a file relative to this one, such as base.yaml or ../common/base.yaml";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string","pattern":"^[^/]"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, IncludePath& out);
  static std::string print(const IncludePath& path) { return path.value; }
};

}  // namespace rdmastate
