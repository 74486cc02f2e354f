// SPDX-License-Identifier: Apache-2.0
// Kind `networkd_file`: a .netdev or .network file of systemd-networkd, and for a .network file that its interface runs
// it. Key: the path. Durable; where networkd does not run, it is only a file.
#pragma once

#include "base/ini.hpp"
#include "host/networkd.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

struct NetworkdFileState : FileState {
  /// Of a .network file: the interface that it names runs it. Of a .netdev file: false where the interface that it
  /// makes is not there, else nullopt. nullopt where networkd does not run.
  std::optional<bool> applied;
  /// Set by the gap alone, of a .netdev file that goes: true where the interface that it made stays, since the spec
  /// still wants it; else nullopt.
  std::optional<bool> leaves_child;
  bool operator==(const NetworkdFileState&) const = default;
};

template <>
struct Fields<NetworkdFileState> {
  static constexpr std::string_view name = "networkd_file";
  static constexpr std::string_view doc = "A .netdev or .network file.";
  static constexpr auto table = Table{
      Field{"type", &FileState::type, "What it is.", {.required = true}},
      Field{"mode", &FileState::mode, "Permission bits."},
      Field{"uid", &FileState::uid, "The owner's number."},
      Field{"gid", &FileState::gid, "The group's number."},
      Field{"content", &FileState::content, "Its bytes."},
      Field{"xattrs", &FileState::xattrs, "Extended attributes."},
      Field{"applied", &NetworkdFileState::applied, "The interface runs it.", {.runtime = true}},
      Field{"leaves_child", &NetworkdFileState::leaves_child, "The interface that it made stays.", {.runtime = true}},
  };
};

extern const Kind networkd_file_kind;

/// What the text of a .network or .netdev file says of its interface.
struct NetworkdText {
  std::string interface;              ///< its name: [Match] Name of a .network file, [NetDev] Name of a .netdev file
  std::string parent;                 ///< of a child, where rdmastate wrote the file: networkd_parent_key; else empty
  std::vector<std::string> children;  ///< names of those that a port's .network file makes (IPoIB=)
  std::optional<PKey> pkey;           ///< of a .netdev file
};
/// Reads the file's text; empty members where it is not such a file.
NetworkdText read_networkd_text(const FileState& file);

/// networkd has no key for the port that a child stands on, so a comment in [Match] says it: "# Parent=ib0".
inline constexpr std::string_view networkd_parent_key = "# Parent";
/// systemd's dialect, but with comments read as entries.
const ini::Dialect& networkd_comments();

/// Whether the path ends in .network: the only one of networkd's files that an interface runs.
bool is_network_file(std::string_view path);
/// A file as a spec wants it; a .network file is to be run by its interface.
NetworkdFileState wanted_networkd_file(const std::string& path, std::string content);
/// The path of rdmastate's file for an interface; `suffix` is ".netdev", ".network" or ".link".
std::string networkd_path(const std::string& interface, std::string_view suffix);
/// The kind's loses(): which addresses and routes a step takes off the interface, or that it takes the interface down.
Loss networkd_file_loses(const Scene& scene, const std::string& key, const State* from, const State* to);
/// The kind's gap: pure.
Gap networkd_file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);

}  // namespace rdmastate
