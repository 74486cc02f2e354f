// SPDX-License-Identifier: Apache-2.0
#include "resources/file/directories.hpp"

#include "resources/file/file.hpp"

namespace rdmastate {

void make_directories(Files& files, const std::string& path) {
  if (path == "/" || files.meta(path)) return;  // where the root is gone, making its child fails
  make_directories(files, parent_path(path));
  constexpr std::uint32_t for_root_alone = 0700;
  const bool is_ours = path.find("rdmastate") != std::string::npos;
  files.replace(path, content_from(is_ours ? directory(for_root_alone) : directory()));
}

}  // namespace rdmastate
