// SPDX-License-Identifier: Apache-2.0
// The types of an NFS mount's fields: port, source, target, option, protocol. What Text<>::read() takes is valid.
#pragma once

#include <cstdint>
#include <string>

#include "base/text.hpp"

namespace rdmastate {

/// A port of the RDMA connection manager, 1 to 65535; 20049 is registered for NFS over RDMA (nfsrdma).
struct NfsPort {
  std::uint16_t value = 20049;
  auto operator<=>(const NfsPort&) const = default;
};

/// HOST:/PATH as nfs(5) has it, an IPv6 address in brackets. No control character, no Unicode line end, no backslash
/// and no blank at the end.
struct NfsSource {
  std::string value;
  auto operator<=>(const NfsSource&) const = default;
  bool is_ipv6() const { return value.starts_with('['); }
  /// Whether the server is given by an IPv4 address, not by a name or an IPv6 address.
  bool is_ipv4() const;
};

/// An absolute path without empty, "." and ".." components and without a slash at its end. Not `/`. What NfsSource may
/// not hold it may not hold either.
struct MountTarget {
  std::string value;
  auto operator<=>(const MountTarget&) const = default;
};

/// One option of mount(8): a name, or name=value, that begins with a letter, a digit or '_'. No comma, since several
/// are joined by commas; no blank, quote, backslash, control character or Unicode line end.
struct MountOption {
  std::string value;
  auto operator<=>(const MountOption&) const = default;
  std::string name() const { return value.substr(0, value.find('=')); }
};

/// The transport's netid (RFC 8166): mount.nfs takes rdma only for IPv4, and rdma6 for IPv6 (nfs_get_proto).
enum class NfsProto : std::uint8_t { rdma, rdma6 };
template <>
struct Names<NfsProto> {
  static constexpr std::string_view wanted = "rdma or rdma6";
  static constexpr std::array table{Name<NfsProto>{NfsProto::rdma, "rdma"}, Name<NfsProto>{NfsProto::rdma6, "rdma6"}};
};

template <>
struct Text<NfsPort> {
  static constexpr std::string_view wanted = "a port from 1 to 65535 such as 20049";
  static constexpr JsonForm form = JsonForm::integer;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, NfsPort& out);
  static std::string print(const NfsPort& port);
};
template <>
struct Text<NfsSource> {
  static constexpr std::string_view wanted = "a server and its path such as server.example.com:/nfs/projects";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, NfsSource& out);
  static std::string print(const NfsSource& source);
};
template <>
struct Text<MountTarget> {
  static constexpr std::string_view wanted = "an absolute path such as /mnt/projects";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, MountTarget& out);
  static std::string print(const MountTarget& target);
};
template <>
struct Text<MountOption> {
  static constexpr std::string_view wanted = "one mount option such as hard or vers=4.2";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema();
  static std::optional<Complaint> read(const Scalar& scalar, MountOption& out);
  static std::string print(const MountOption& option);
};

}  // namespace rdmastate
