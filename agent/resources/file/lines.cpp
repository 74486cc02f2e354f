// SPDX-License-Identifier: Apache-2.0
// A step of a file as a person reads it.
#include <fmt/format.h>

#include "base/textdiff.hpp"
#include "resources/file/file.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

std::string shown_bytes(const State* state) {
  if (state == nullptr || !file_of(*state).content) return {};
  const std::string& bytes = file_of(*state).content->value;
  return file_of(*state).type == FileType::symlink ? "-> " + bytes + "\n" : bytes;
}

// What of a file changes beside its bytes.
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
