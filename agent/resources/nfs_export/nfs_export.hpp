// SPDX-License-Identifier: Apache-2.0
// Kind `nfs_export`: a directory that the NFS server exports to a client now, as /var/lib/nfs/etab has it. Key: the
// path, a blank and the client. Twin: the file of exports, and the server's unit where the spec starts it.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct NfsExportState {
  std::string path;
  std::string host;
  std::string options;  ///< as effective_options() gives them
  /// Only in the state before a step; true: no file has the export with these options, so no rollback brings them back.
  std::optional<bool> by_hand = {};
  bool operator==(const NfsExportState&) const = default;
};

template <>
struct Fields<NfsExportState> {
  static constexpr std::string_view name = "nfs_export";
  static constexpr std::string_view doc = "A directory that the NFS server exports to a client.";
  static constexpr auto table = Table{
      Field{"path", &NfsExportState::path, "The directory.", {.required = true, .identity = true}},
      Field{"host", &NfsExportState::host, "Whom it is exported to.", {.required = true, .identity = true}},
      Field{"options",
            &NfsExportState::options,
            "The options in force that are not exports(5)'s own.",
            {.required = true}},
      Field{"by_hand", &NfsExportState::by_hand, "No file has it so.", {.identity = true}},
  };
};

extern const Kind nfs_export_kind;

/// The wanted state of an export with these options, as a file of exports(5) has them.
State nfs_export(std::string path, std::string host, std::string_view options);
/// "/nfs/projects 192.0.2.0/24"
std::string nfs_export_key(std::string_view path, std::string_view host);

/// Whether clients lose something when the options of an export change from `from` to `to`, both as
/// effective_options() gives them. They lose nothing by a change that only lets them do more (rw for ro), or by one of
/// how writes are answered (async). Where options differ by flavor (sec=), any change counts as a loss.
bool is_narrowed(std::string_view from, std::string_view to);

}  // namespace rdmastate
