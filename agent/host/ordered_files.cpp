// SPDX-License-Identifier: Apache-2.0
#include "host/ordered_files.hpp"

#include "host/look_at.hpp"

namespace rdmastate {
namespace {

std::string path_in(std::string_view directory, std::string_view name) {
  std::string path(directory);
  return path.append("/").append(name);
}

}  // namespace

std::string path_that_counts(const Snapshot& snapshot, Directories directories, const std::string& name) {
  for (const auto directory : directories)
    if (std::string path = path_in(directory, name); snapshot.exists(path)) return path;
  return {};
}

bool is_masking(const FileContent& file) {
  if (file.meta.type == FileType::symlink) return file.bytes == "/dev/null" || file.bytes.ends_with("../dev/null");
  return file.meta.type == FileType::regular && file.bytes.empty();
}

bool is_masking(const Snapshot& snapshot, const std::string& path) {
  const auto& file = snapshot.file(path);
  return file && is_masking(*file);
}

std::map<std::string, std::string> files_that_count(const Snapshot& snapshot, Directories directories,
                                                    std::string_view suffix, std::vector<std::string>& unseen) {
  std::map<std::string, std::string> files;
  // emplace() keeps the first path of a name: an earlier directory hides later ones.
  for (const auto directory : directories)
    look_at(std::string(directory), unseen, [&] {
      for (auto& name : snapshot.list(std::string(directory)))
        if (std::string path = path_in(directory, name); path.ends_with(suffix))
          files.emplace(std::move(name), std::move(path));
    });
  return files;
}

}  // namespace rdmastate
