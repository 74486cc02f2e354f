// SPDX-License-Identifier: Apache-2.0
// What a record keeps of a host's users and groups: names and numbers, and no password.
#include <fmt/format.h>

#include "base/lines.hpp"
#include "host/recorded/model.hpp"
#include "resources/group/account_text.hpp"
#include "resources/group/gap.hpp"

namespace rdmastate {
namespace {

// More groups than one spec can make: for that many a plan on the record finds the same free gids as on the host.
constexpr std::size_t most_groups = 8;

Kept users(const FileToKeep& file) {
  std::string text;
  for (const auto& user : passwd_users(file.text))
    text += fmt::format("{}:x:{}:{}:::\n", user.name, user.uid, user.gid);
  return kept_part(std::move(text));
}

Kept groups(const FileToKeep& file) {
  std::string text;
  for_lines(file.text, [&](std::string_view line) {
    if (const std::string safe = without_password(line); !safe.empty()) text += safe + "\n";
  });
  return kept_part(std::move(text));
}

// Lines of gshadow with "x" for any password: a plan asks only whether there is one.
Kept shadows(const FileToKeep& file) {
  std::string text;
  for_lines(file.text, [&](std::string_view line) {
    const std::string name(line.substr(0, line.find(':')));
    const auto shadow = account_line(line, name);
    if (!shadow) return;
    const std::string_view password = shadow->fields[1] == no_password ? no_password : "x";
    text += fmt::format("{}:{}:{}:{}\n", name, password, shadow->fields[2], shadow->fields[3]);
  });
  return kept_part(std::move(text));
}

// Of login.defs(5) the bounds of system groups' gids.
Kept system_ids(const FileToKeep& file) {
  std::string text;
  for_lines(file.text, [&](std::string_view line) {
    if (line.starts_with("SYS_GID_")) text.append(line).append("\n");
  });
  return kept_part(std::move(text));
}

}  // namespace

FilePlaces places_of_groups() {
  return {{passwd_path, users}, {group_path, groups}, {gshadow_path, shadows}, {login_defs_path, system_ids}};
}

// Where a directory service does not list all that it knows, the record keeps the users that groups name, and the first
// gids that the service has.
void keep_directory(const Snapshot& snapshot, const Facts&, HostModel& model) {
  model.directory = snapshot.directory();
  if (model.directory.complete) return;
  const auto text_of = [&](const char* path) {
    const auto file = model.files.find(path);
    return file == model.files.end() ? std::string() : file->second.bytes;
  };
  const std::string lines = text_of(group_path);
  for_lines(lines, [&](std::string_view line) {
    for (const auto& name : split_names(line.substr(line.rfind(':') + 1)))
      if (snapshot.knows_user(name)) model.directory.users.insert(name);
  });
  for (const auto& user : passwd_users(text_of(passwd_path))) model.directory.users.erase(user.name);
  for (const std::uint32_t id : ids_of_services(snapshot, most_groups)) model.directory.ids.insert(id);
}

}  // namespace rdmastate
