// SPDX-License-Identifier: Apache-2.0
// Kind `netplan_file`: a file of netplan's definitions (netplan(5)), and that its interfaces run what netplan makes of
// them for its renderer (systemd-networkd or NetworkManager). Key: the file's path. Durable; where netplan is missing,
// and in a tree, it is only a file.
#pragma once

#include <map>

#include "host/netplan.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

struct NetplanFileState : FileState {
  /// Each interface that the file defines runs what netplan made of its definition. nullopt where netplan is missing or
  /// no renderer runs, and in a state of a step that leaves the interfaces alone. Where a step leads to false, it tells
  /// the renderer and does not wait: an interface is not here.
  std::optional<bool> applied;
  bool operator==(const NetplanFileState&) const = default;
};

template <>
struct Fields<NetplanFileState> {
  static constexpr std::string_view name = "netplan_file";
  static constexpr std::string_view doc = "A file of netplan's definitions.";
  static constexpr auto table = Table{
      Field{"type", &FileState::type, "What it is.", {.required = true}},
      Field{"mode", &FileState::mode, "Permission bits."},
      Field{"uid", &FileState::uid, "The owner's number."},
      Field{"gid", &FileState::gid, "The group's number."},
      Field{"content", &FileState::content, "Its bytes."},
      Field{"xattrs", &FileState::xattrs, "Extended attributes."},
      Field{"applied", &NetplanFileState::applied, "Its interfaces run what it says.", {.runtime = true}},
  };
};

extern const Kind netplan_file_kind;

/// A file as a spec wants it: its interfaces run what it says.
NetplanFileState wanted_netplan_file(std::string content);
/// Whether a step to this state tells the renderer; nullptr is absent.
bool renderer_is_told(const NetplanFileState* to);
/// The definitions of the file.
std::vector<NetplanDefinition> definitions_of(const FileState& file);
/// The path of rdmastate's drop-in for the .network file that netplan generates of a definition, where its renderer is
/// networkd.
std::string netplan_drop_in_path(const std::string& id);
/// The texts of definitions by their ids.
using DefinitionTexts = std::map<std::string, std::string>;
/// Those of a state of this kind; none where it is nullptr.
DefinitionTexts definition_texts(const State* state);
/// Whether the interface of this definition runs what netplan generated of it, for whichever renderer. False where
/// there is no such interface, and where netplan has generated nothing.
bool runs_definition(const Snapshot& snapshot, const std::string& id);

/// Whether netplan is told of an interface of this name by a file that the plan wants.
bool is_told_to_netplan(const Scene& scene, const std::string& name);
/// Whether the renderer that netplan's files name (Facts::netplan_renderer) runs on this host.
bool netplan_renderer_runs(const Scene& scene);
/// The kind's gap: pure.
Gap netplan_file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);
/// The kind's loses(): the interfaces that the renderer configures anew, or no longer.
Loss netplan_file_loses(const Scene& scene, const std::string& key, const State* from, const State* to);
/// The kind's mover: the file, `netplan generate`, and then the renderer.
void move_netplan_file(Tools& tools, const std::string& key, const State* from, const State* to);

}  // namespace rdmastate
