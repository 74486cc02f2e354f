// SPDX-License-Identifier: Apache-2.0
// What an NFS server exports: by its files (exports(5)), and by /var/lib/nfs/etab, the table that exportfs(8) makes of
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"
#include "host/nfsd.hpp"

namespace rdmastate {

class Snapshot;

/// The table of what is exported now. exportfs(8) writes it and rpc.mountd answers by it.
inline constexpr const char* export_table = "/var/lib/nfs/etab";

/// The exports of a file of exports(5), or of etab, in their order, as nfs-utils reads them: words, quotes, octal
/// escapes, comments and continued lines. Default options ("-ro") are in the options of each client (joined_options()).
/// Where exportfs(8) stops reading, at a client whose options have no ")" or at a word that is too long, the rest is
/// left out; but it stops also at an option that it does not know, which no version of rdmastate can tell.
std::vector<NfsExport> exports_in(std::string_view text);
/// Whether a client of an export is one host by name: exportfs(8) writes the host's full name into the table. It
/// writes a pattern, a network, a netgroup or an address as the file does.
bool is_host_name(std::string_view host);
/// Whether the table's `present` is the host that a file calls `wanted`: exportfs(8) writes the full name of a host.
bool is_same_host(std::string_view wanted, std::string_view present);

/// Whether exportfs(8) reads exports from this path: /etc/exports, or /etc/exports.d/NAME.exports unless NAME is empty
/// or begins with a dot.
bool is_exports_file(std::string_view path);
/// The order in which exportfs(8) reads such files: /etc/exports, then the others by versions: 9.exports, 10.exports.
struct ExportsOrder {
  bool operator()(const std::string& a, const std::string& b) const;
};

/// The exports of /etc/exports and of /etc/exports.d/*.exports, in the order in which exportfs(8) reads them: of two
/// for one path and host the first counts. Paths that this user may not read are added to `unseen`.
std::vector<ExportClaim> read_exports(const Snapshot& snapshot, std::vector<std::string>& unseen);

}  // namespace rdmastate
