// SPDX-License-Identifier: Apache-2.0
// Exports by directory and client, so that one is found without a look at all others.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/nfsd.hpp"

namespace rdmastate {

/// Exports of files, or of /var/lib/nfs/etab. Of two for one directory and client the first counts, as exportfs(8) has
/// it (exportfs.c, export_read()). A file may call a host by the first part of its name; etab has the full name.
class ExportTable {
 public:
  /// Takes the exports in the order in which they are read.
  explicit ExportTable(std::vector<NfsExport> exports);
  /// Each directory and client once.
  const std::vector<NfsExport>& all() const { return exports_; }
  /// Of a table made from etab: the export to the host that a file calls so; nullptr: there is none. It is one
  /// of all().
  const NfsExport* in_force(std::string_view path, std::string_view written) const;
  /// Of a table made from files: the export that etab has with this host; nullptr: there is none. It is one of
  /// all().
  const NfsExport* written(std::string_view path, std::string_view full) const;

 private:
  using Index = std::map<std::string, std::size_t, std::less<>>;
  const NfsExport* at(const Index& index, const std::string& key) const;

  std::vector<NfsExport> exports_;
  Index exact_;    // by path and host, in lower case
  Index shorter_;  // the same for what files may call a host: "node1" of "node1.example.com"
};

}  // namespace rdmastate
