// SPDX-License-Identifier: Apache-2.0
// Kind `ifupdown_file`: a file of stanzas (interfaces(5)), and that ifupdown holds its interface as up, with the file's
// addresses. Key: the file's path. Durable; where Debian's ifupdown is missing, and in a tree, it is only a file.
#pragma once

#include "host/interfaces_text.hpp"
#include "resources/file/file.hpp"

namespace rdmastate {

/// The file, and what runs of it. `up` and `applied` are nullopt where Debian's ifupdown is missing, where the file has
/// no stanzas, and in a state that leaves the interface alone.
struct IfupdownFileState : FileState {
  std::optional<bool> up;       ///< ifupdown holds the file's first interface as up
  std::optional<bool> applied;  ///< that interface is up, with the static addresses that the file gives it
  /// Observed: the names of the other interfaces that go down when a step takes that interface down, sorted: its
  /// children and the file's further interfaces, as far as ifupdown holds them. nullopt as above, and when wanted.
  std::optional<std::vector<std::string>> others;
  bool operator==(const IfupdownFileState&) const = default;
};

template <>
struct Fields<IfupdownFileState> {
  static constexpr std::string_view name = "ifupdown_file";
  static constexpr std::string_view doc = "A file of ifupdown's stanzas.";
  static constexpr auto table = Table{
      Field{"type", &FileState::type, "What it is.", {.required = true}},
      Field{"mode", &FileState::mode, "Permission bits."},
      Field{"uid", &FileState::uid, "The owner's number."},
      Field{"gid", &FileState::gid, "The group's number."},
      Field{"content", &FileState::content, "Its bytes."},
      Field{"xattrs", &FileState::xattrs, "Extended attributes."},
      Field{"up", &IfupdownFileState::up, "ifupdown holds its interface as up.", {.runtime = true}},
      Field{"applied", &IfupdownFileState::applied, "That interface has its addresses.", {.runtime = true}},
      Field{"others", &IfupdownFileState::others, "What goes down with it, of what ifupdown holds.", {.runtime = true}},
  };
};

extern const Kind ifupdown_file_kind;

/// The path of rdmastate's file for an interface. source-directory takes no name with a dot: a child's has a '-' there.
std::string ifupdown_path(std::string interface);
/// A file as a spec wants it: its interface is up, and has its addresses.
IfupdownFileState wanted_ifupdown_file(std::string content);
/// The interfaces of a file, in its order; none where it has no stanzas.
std::vector<InterfaceStanzas> stanzas_of(const FileState& file);

/// A sentence: why ifup would fail now on a static IPv6 address of the interface: there is no carrier, without which
/// duplicate address detection does not end. Empty: nothing says so.
std::string why_detection_waits(const Scene& scene, const InterfaceStanzas& one);

/// The kind's gap: pure.
Gap ifupdown_file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed);
/// The kind's loses(): the interfaces that a step takes down, for a moment or for good.
Loss ifupdown_file_loses(const Scene& scene, const std::string& key, const State* from, const State* to);
/// The kind's still(): the state of a step that writes the file and leaves the interface alone; nullopt: the file is
/// as wanted already.
std::optional<State> ifupdown_file_still(const State* from, const State& to);
/// The kind's put_back(): what ifdown removes and ifup does not bring back, such as addresses and routes that other
/// programs added.
std::vector<Ref> ifupdown_file_puts_back(const Scene& scene, const std::string& key, const State* from,
                                         const State* to);
/// Whether a step begins with ifdown, by the stanzas that the file has before the step.
bool takes_down(const IfupdownFileState* from, const IfupdownFileState* to);
/// The kind's mover: ifdown by the old file, the file, ifup by the new one.
void move_ifupdown_file(Tools& tools, const std::string& key, const State* from, const State* to);

}  // namespace rdmastate
