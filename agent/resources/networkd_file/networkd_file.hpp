// SPDX-License-Identifier: Apache-2.0
// Kind `networkd_file`: a .netdev or .network file of systemd-networkd or a drop-in of a .network file, and for all but
// a .netdev file that its interface runs it. Key: the path. Durable; where networkd does not run, it is only a file.
#pragma once

#include <span>

#include "base/ini.hpp"
#include "host/networkd.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

struct NetworkdFileState : FileState {
  /// Of a .network file: the interface that it names runs it. Of a drop-in: that interface runs the file that it adds
  /// to. Of a .netdev file: false where the interface that it makes is not there, else nullopt. nullopt where networkd
  /// does not run.
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
  /// Its name: [Match] Name of a .network file, [NetDev] Name of a .netdev file, networkd_port_key of a drop-in.
  std::string interface;
  std::string parent;                 ///< of a child, where rdmastate wrote the file: networkd_parent_key; else empty
  std::vector<std::string> children;  ///< names of those that a port's .network file makes (IPoIB=)
  std::optional<PKey> pkey;           ///< of a child's .netdev file
  bool is_bond = false;               ///< its interface is a bond: by Kind= of a .netdev file, or networkd_kind_key
  std::string bond;                   ///< the bond that it is a port of (Bond=); empty: none
  bool is_primary = false;            ///< PrimarySlave= with a word for true
};
/// Reads the file's text; empty members where it is not such a file.
NetworkdText read_networkd_text(const FileState& file);

/// Whether the interface, which has these ports, can be the one that a .netdev file with this text makes: the child in
/// its partition, or a bond of IPoIB interfaces.
bool is_made_by(const NetworkdText& text, const Link& link, std::span<const Link> ports);
/// That interface; nullptr: it is not there, or the host is a tree.
const Link* made_by(const Snapshot& snapshot, const NetworkdText& text);
/// Whether the step between these states of a .netdev file (nullptr: no file) removes the child or bond that networkd
/// made of it.
bool takes_child(const State* from, const State* to);

/// networkd has no key for the port that a child stands on, so a comment in [Match] says it: "# Parent=ib0".
inline constexpr std::string_view networkd_parent_key = "# Parent";
/// The same for the port of a drop-in, whose [Match] stands in another file: "# Port=ib0" in [Network].
inline constexpr std::string_view networkd_port_key = "# Port";
/// What tells the .network file of a bond: "# Kind=bond" in [Match]. networkd has a key for it since version 251 alone.
inline constexpr std::string_view networkd_kind_key = "# Kind";
inline constexpr std::string_view networkd_bond = "bond";
/// systemd's dialect, but with comments read as entries.
const ini::Dialect& networkd_comments();

/// Whether networkd runs the .network file at `path` on this interface, or has begun to. False where there is no such
/// interface.
bool runs_network_file(const Snapshot& snapshot, const std::string& interface, const std::string& path);
/// Waits until networkd, which has been told to reload, has run that file on the interface, and has made the children
/// that it and rdmastate's drop-in name. Throws Error where it fails, or takes longer than 90 s for one.
void await_network_file(Tools& tools, const std::string& interface, const std::string& path);

/// Whether an interface can run the file: its path ends in .network, or it is a drop-in of such a file.
bool is_network_file(std::string_view path);
/// Of a drop-in the name of the .network file that it adds to, whichever directory that is in: "10-a.network" of
/// /etc/systemd/network/10-a.network.d/b.conf. Empty: the path is no drop-in's.
std::string name_of_dropped_into(std::string_view path);
/// Whether networkd goes by the file at `path` on that interface, or by the one that the drop-in there adds to.
bool goes_by(const NetworkdLink& link, const std::string& path);
/// Whether networkd, whose state file of an interface has this text (nullopt: there is none), has taken the file at
/// `path` for it, as goes_by(): also where it failed to configure the interface, or has not begun yet.
bool has_taken(const std::optional<std::string>& state_file, const std::string& path);
/// The path of rdmastate's drop-in for the .network file of this name.
std::string networkd_drop_in_path(std::string_view name);
/// A file as a spec wants it; a .network file is to be run by its interface.
NetworkdFileState wanted_networkd_file(const std::string& path, std::string content);
/// The path of rdmastate's file for an interface; `suffix` is ".netdev", ".network" or ".link".
std::string networkd_path(const std::string& interface, std::string_view suffix);
/// The kind's loses(): which addresses and routes a step takes off the interface, or that it takes the interface down.
Loss networkd_file_loses(const Scene& scene, const std::string& key, const State* from, const State* to);
/// The kind's gap: pure.
Gap networkd_file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);

}  // namespace rdmastate
