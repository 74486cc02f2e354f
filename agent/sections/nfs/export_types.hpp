// SPDX-License-Identifier: Apache-2.0
// The types of fields of `nfs.server`: the number of threads, and of an export its directory, a client and an option.
// A value that Text<>::read() accepts is valid.
#pragma once

#include <cstdint>
#include <string>

#include "base/text.hpp"

namespace rdmastate {

/// How many threads of the kernel serve NFS: 1 to 8192, which is NFSD_MAXSERVS (fs/nfsd/nfssvc.c). With 0 the
/// server does not run.
struct NfsThreads {
  std::uint32_t value = 8;
  auto operator<=>(const NfsThreads&) const = default;
};

/// An absolute path without empty, "." and ".." components, of at most 1024 bytes (NFS_MAXPATHLEN). No control
/// character and no backslash: nfs-utils reads an escape that it has resolved once more (support/nfs/xio.c, xgettok).
struct ExportPath {
  std::string value;
  auto operator<=>(const ExportPath&) const = default;
};

/// Whom a directory is exported to (exports(5), "Machine Name Formats"): a host's name or address, a network with its
/// prefix length, names by a pattern, a netgroup, or everybody. Addresses are in their canonical form.
struct ExportHost {
  std::string value;
  auto operator<=>(const ExportHost&) const = default;
};

/// One option of exports(5), with its value where it has one.
struct ExportOption {
  std::string value;
  auto operator<=>(const ExportOption&) const = default;
};

template <>
struct Text<NfsThreads> {
  static constexpr std::string_view wanted = "a number of threads from 1 to 8192";
  static constexpr JsonForm form = JsonForm::integer;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, NfsThreads& out);
  static std::string print(const NfsThreads& threads);
};
template <>
struct Text<ExportPath> {
  static constexpr std::string_view wanted = "an absolute path such as /nfs/projects";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, ExportPath& out);
  static std::string print(const ExportPath& path);
};
template <>
struct Text<ExportHost> {
  static constexpr std::string_view wanted = "a host, network, pattern or netgroup such as 192.0.2.0/24";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, ExportHost& out);
  static std::string print(const ExportHost& host);
};
template <>
struct Text<ExportOption> {
  static constexpr std::string_view wanted = "one export option such as rw or fsid=0";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, ExportOption& out);
  static std::string print(const ExportOption& option);
};

}  // namespace rdmastate
