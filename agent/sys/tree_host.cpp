// SPDX-License-Identifier: Apache-2.0
#include "sys/tree_host.hpp"

#include "base/error.hpp"

namespace rdmastate {
namespace {

// Refuses an empty text: Root would take it for the working directory.
const std::string& checked(const std::string& directory) {
  if (directory.empty()) throw Error("a tree's directory is expected, got '': to configure this host leave --root out");
  return directory;
}

}  // namespace

TreeHost::TreeHost(const std::string& directory)
    : root(checked(directory)), labels(root), files(root, &labels), host{"tree at " + root.shown(""), files, clock} {}

}  // namespace rdmastate
