// SPDX-License-Identifier: Apache-2.0
// Kind::lines of files: the attributes that a step changes, one a line, and then a diff of the bytes.
#include <fmt/format.h>

#include "base/textdiff.hpp"
#include "resources/file/file.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

// The bytes that the diff compares: a file's, or "-> TARGET" for a symlink; empty for what has none.
std::string shown_bytes(const State* state) {
  if (state == nullptr || !file_of(*state).content) return {};
  const std::string& bytes = file_of(*state).content->value;
  return file_of(*state).type == FileType::symlink ? "-> " + bytes + "\n" : bytes;
}

// A line such as "mode: 0644 -> 0600" for each field that changes, other than the bytes.
std::string attribute_lines(const State& from, const State& to) {
  std::string lines;
  for (const auto& change : diff(from.kind().record(), from.raw(), to.raw()))
    if (change.path != "content")
      lines += fmt::format("{}: {} -> {}\n", change.path, change.from.value_or("unset"), change.to.value_or("unset"));
  return lines;
}

}  // namespace

std::string file_lines(const State* from, const State* to) {
  if (to != nullptr && file_of(*to).type == FileType::directory) return {};
  std::string lines = from != nullptr && to != nullptr ? attribute_lines(*from, *to) : std::string();
  const std::string was = without_secrets(shown_bytes(from));
  const std::string becomes = without_secrets(shown_bytes(to));
  if (was == becomes && shown_bytes(from) != shown_bytes(to))
    return lines + "a secret in it changes, which is not shown\n";
  return lines + unified_diff(was, becomes);
}

}  // namespace rdmastate
