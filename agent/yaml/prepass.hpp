// SPDX-License-Identifier: Apache-2.0
// What is refused before a YAML parser sees the bytes: yaml-cpp takes invalid UTF-8, ends at a byte 0x04 in
// silence, and buffers a collection in brackets whole (1 MiB of '[' costs it 240 MB).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/report.hpp"

namespace rdmastate::yaml {

constexpr std::size_t max_bytes = std::size_t{1} << 20U;         ///< of a spec file
constexpr std::size_t max_flow_bytes = std::size_t{256} << 10U;  ///< of one collection in brackets
constexpr std::size_t max_flow_depth = 64;                       ///< of collections in brackets within each other
constexpr std::size_t max_depth = 64;  ///< of collections of every form within each other; load() enforces it

/// What the prepass found in the bytes.
struct Prepass {
  struct Problem {
    std::size_t offset;  ///< of the byte that the complaint is about, from 0
    Complaint complaint;
  };
  std::optional<Problem> problem;  ///< the first one; nullopt: none
  /// All bytes are ASCII: then the Builder need not count characters to tell columns. Not told where there is a
  /// problem.
  bool ascii = true;
  /// Where a quoted scalar begins that never ends; nullopt: none. No problem here: load() gives this place to the error
  /// of yaml-cpp, which names the end of the file.
  std::optional<std::size_t> open_quote;
};

/// Checks size, characters (well-formed UTF-8 without control characters) and the nesting of brackets, in one pass
/// each. Only a whole YAML parser knows what a bracket means; where this pass is wrong about a strange document, the
/// limits of the parser still hold.
Prepass prepass(std::string_view bytes);

/// Size and characters alone: for JSON, whose reader follows brackets itself and buffers nothing.
Prepass prepass_characters(std::string_view bytes);

}  // namespace rdmastate::yaml
