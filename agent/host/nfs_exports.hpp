// SPDX-License-Identifier: Apache-2.0
// What an NFS server exports: by its files (exports(5)), and by /var/lib/nfs/etab, the table that exportfs(8) makes of
// them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"
#include "host/nfsd.hpp"

namespace rdmastate {

class Snapshot;

/// The table of what is exported now. exportfs(8) writes it and rpc.mountd answers by it.
inline constexpr const char* export_table = "/var/lib/nfs/etab";

/// Two options of exports(5) of which one holds.
struct ExportFlag {
  std::string_view usual;  ///< holds where neither is given; empty where its absence says so
  std::string_view other;
};
/// All of them; of two names for one option the one that etab has.
std::span<const ExportFlag> export_flags();

/// An option of exports(5) with a value.
struct ExportValue {
  std::string_view name;
  std::string_view usual;  ///< its value where it is not given; empty: it has none then
};
/// All of them, but for those whose value other options change (xprtsec).
std::span<const ExportValue> export_values();

/// One option as etab has it: "insecure_locks" of "no_auth_nlm", "fsid=0" of "fsid=root".
std::string spelling_of(std::string_view option);

/// The exports of a file of exports(5), or of etab, in their order, as nfs-utils reads them. Comments, quotes, octal
/// escapes, continued lines and default options ("-ro") are resolved. At a client whose options have no ")" the reading
/// ends, as exportfs(8) does.
std::vector<NfsExport> exports_in(std::string_view text);
/// The options in force: ro or rw, then those that differ from what holds when none is given, in a fixed order. Options
/// that this version does not know are left out.
std::string effective_options(std::string_view options);
/// Whether exportfs(8) may write more of it into the table, as the full name of a host. A pattern, a network, a
/// netgroup or an address stands there as it is.
bool is_host_name(std::string_view host);
/// Whether the table's `present` is the host that a file calls `wanted`: exportfs(8) writes the full name of a host.
bool is_same_host(std::string_view wanted, std::string_view present);

/// Whether exportfs(8) reads exports from this path: /etc/exports, or a name of /etc/exports.d that ends in ".exports".
bool is_exports_file(std::string_view path);
/// The order in which exportfs(8) reads such files: /etc/exports, then the others by versions: 9.exports, 10.exports.
struct ExportsOrder {
  bool operator()(const std::string& a, const std::string& b) const;
};

/// The exports of /etc/exports and of /etc/exports.d/*.exports, in the order in which exportfs(8) reads them: of two
/// for one path and host the first counts. Paths that this user may not read are added to `unseen`.
std::vector<ExportClaim> read_exports(const Snapshot& snapshot, std::vector<std::string>& unseen);

}  // namespace rdmastate
