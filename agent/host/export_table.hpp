// SPDX-License-Identifier: Apache-2.0
// Exports by directory and client. The kinds nfs_export and nfs_reload look one up to compare what files say with what
// the server exports.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/nfsd.hpp"

namespace rdmastate {

/// Exports of files, or of /var/lib/nfs/etab. Of two for one directory and client the first counts, as exportfs(8) has
/// it (exportfs.c, export_read()). A file may give the first part of a host's name ("node1"), where etab has the full
/// name ("node1.example.com"). Names are compared without regard to case.
class ExportTable {
 public:
  /// Takes the exports in the order in which they are read.
  explicit ExportTable(std::vector<NfsExport> exports);
  /// Each directory and client once.
  const std::vector<NfsExport>& all() const { return exports_; }
  /// In a table made from etab: the export of the directory `path` to the host that a file calls `written`. One of
  /// all(); nullptr: there is none.
  const NfsExport* in_force(std::string_view path, std::string_view written) const;
  /// In a table made from files: the export of the directory `path` to the host that etab calls `full`. One of all();
  /// nullptr: there is none.
  const NfsExport* written(std::string_view path, std::string_view full) const;

 private:
  using Index = std::map<std::string, std::size_t, std::less<>>;
  const NfsExport* at(const Index& index, const std::string& key) const;

  std::vector<NfsExport> exports_;
  // Both give an index into exports_ for a path and a host in lower case.
  Index exact_;    // the host as the export has it
  Index shorter_;  // each shorter name of it: "node1.example" and "node1" of "node1.example.com"
};

}  // namespace rdmastate
