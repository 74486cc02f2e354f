// SPDX-License-Identifier: Apache-2.0
// For kind nfs_export: what a reload of nfs-server.service does to every export. Its ExecReload= is `exportfs -r`,
// which makes the table of exports what the files say, once a plan's files are written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/export_table.hpp"
#include "resources/gap.hpp"

namespace rdmastate {

/// What a reload at the end of a plan does to the exports. Pure.
class NfsReload {
 public:
  explicit NfsReload(const Scene& scene);

  /// Whether the files, as they are before the plan, have the export with just these options, so that a rollback brings
  /// it back. False of what somebody exported by hand.
  bool is_in_files(const NfsExport& present) const;
  /// Whether a client loses something, or something ends that no rollback brings back.
  bool takes_something() const { return !takes_.empty(); }
  /// What is lost of this export, whose key is as the table has it, as a sentence; empty: nothing.
  std::string taken_from(const std::string& key) const;
  /// What is lost of the others, as sentences: of the first few, and then how many more there are.
  std::vector<std::string> taken_from_others(const std::string& key) const;
  /// Sentences: exports that begin, or let clients do more, because of files that the plan does not write. The first
  /// few.
  std::vector<std::string> brought_of_others() const;

 private:
  void find_taken(const Scene& scene, const ExportTable& then);
  void find_brought(const Scene& scene);
  std::string sentence_for(const NfsExport& present, const NfsExport* then) const;

  ExportTable files_;                         // as they are before the plan
  std::map<std::string, std::string> takes_;  // by the export's key, as the table has it
  std::vector<std::string> brings_;
};

}  // namespace rdmastate
