// SPDX-License-Identifier: Apache-2.0
// The options of exports(5): which ones there are, and what a list of them means. The section `nfs` checks a spec's
// options by them, nfs_exports.hpp reads files and etab (the table of what is exported now) with them, and the kinds
// nfs_export and nfs_reload compare both by effective_options().
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rdmastate {

/// Two options of exports(5) of which one holds.
struct ExportFlag {
  std::string_view usual;  ///< holds where neither is given; empty: it has no name of its own, as without "nordirplus"
  std::string_view other;
  /// true: behind a sec= the option holds only for the flavors that this sec= names (NFSEXP_SECINFO_FLAGS). false: it
  /// holds for all flavors, wherever it stands.
  bool of_flavor = false;
};
/// All of them; of two names for one option the one that etab has.
std::span<const ExportFlag> export_flags();

/// An option of exports(5) with a value.
struct ExportValue {
  std::string_view name;
  std::string_view usual;  ///< its value where it is not given; empty: it has none then
};
/// All that this version knows. xprtsec (TLS), which NFS over RDMA does not have, is not among them.
std::span<const ExportValue> export_values();

/// The one spelling of an option that files and etab write differently: "insecure_locks" of "no_auth_nlm", "fsid=0" of
/// "fsid=root", "anonuid=4294967294" of etab's "anonuid=-2". Any other option is returned as it is.
std::string spelling_of(std::string_view option);

/// A client's options behind those of its line ("-ro"), for effective_options(); exportfs(8) never gets this text. A
/// sec= of the line does not go on to the client's options: an empty option between the two ("sec=krb5,,rw") ends it.
/// Either argument may be empty; the result is the other one then.
std::string joined_options(std::string_view of_line, std::string_view of_client);

/// What a list of options, of a file or of etab, means: ro or rw, then what differs from an export without options, in
/// a fixed order. Where flavors (sec=) have different flags, these stand behind each: "sec=sys,ro,...,sec=krb5,rw,...".
/// Options that this version does not know (xprtsec) are left out. Of two equal texts the server does the same, as far
/// as this version knows the options.
std::string effective_options(std::string_view options);

/// Whether a text of effective_options() has different flags for different flavors.
bool differs_by_flavor(std::string_view effective);

}  // namespace rdmastate
