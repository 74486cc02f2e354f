// SPDX-License-Identifier: Apache-2.0
// The options of exports(5): which ones there are, and what a list of them means.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rdmastate {

/// Two options of exports(5) of which one holds.
struct ExportFlag {
  std::string_view usual;  ///< holds where neither is given; empty where its absence says so
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
/// All of them, but for those whose value other options change (xprtsec).
std::span<const ExportValue> export_values();

/// The one spelling of an option that files and etab write differently: "insecure_locks" of "no_auth_nlm", "fsid=0" of
/// "fsid=root", "anonuid=4294967294" of etab's "anonuid=-2".
std::string spelling_of(std::string_view option);

/// A client's options behind those of its line ("-ro"). Where the line's options have a sec=, an empty option stands
/// between the two: the flavors of that sec= are for the line's options alone. Either may be empty.
std::string joined_options(std::string_view of_line, std::string_view of_client);

/// What a list of options, of a file or of etab, means: ro or rw, then what differs from an export without options, in
/// a fixed order. Where flavors (sec=) have different flags, these stand behind each: "sec=sys,ro,...,sec=krb5,rw,...".
/// Options that this version does not know are left out. Of two equal texts the server does the same.
std::string effective_options(std::string_view options);

/// Whether such a text has flags by flavor.
bool differs_by_flavor(std::string_view effective);

}  // namespace rdmastate
