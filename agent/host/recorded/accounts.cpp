// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/accounts.hpp"

#include <cerrno>

#include "base/error.hpp"

namespace rdmastate {
namespace {

constexpr const char* passwd = "/etc/passwd";
constexpr const char* group = "/etc/group";

// A field of a line with colons, counted from 0; empty where the line has fewer.
std::string_view field_of(std::string_view line, std::size_t field) {
  for (; field > 0; --field) line.remove_prefix(std::min(line.find(':'), line.size() - 1) + 1);
  return line.substr(0, line.find(':'));
}

}  // namespace

bool RecordedAccounts::has_line(const std::string& path, std::size_t field, const std::string& text) const {
  const auto file = model_.files.find(path);
  if (file == model_.files.end()) return false;
  std::string_view rest = file->second.bytes;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!line.empty() && field_of(line, field) == text) return true;
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return false;
}

bool RecordedAccounts::is_in(const std::set<std::string>& names, const std::string& name) const {
  if (names.contains(name)) return true;
  if (!model_.directory.complete) throw SystemError("asking a directory service for " + name, EACCES);
  return false;
}

bool RecordedAccounts::knows_user(const std::string& name) {
  return has_line(passwd, 0, name) || is_in(model_.directory.users, name);
}

bool RecordedAccounts::knows_group(const std::string& name) {
  return has_line(group, 0, name) || is_in(model_.directory.groups, name);
}

bool RecordedAccounts::uses_id(std::uint32_t id) {
  const std::string text = std::to_string(id);
  return has_line(passwd, 2, text) || has_line(group, 2, text) || model_.directory.ids.contains(id);
}

}  // namespace rdmastate
