// SPDX-License-Identifier: Apache-2.0
// Kind `group`: a group in /etc/group and /etc/gshadow, and who is in it. Key: its name. Durable. Every other byte of
// both files stays.
#pragma once

#include "resources/kind.hpp"

namespace rdmastate {

struct GroupState {
  std::optional<std::uint32_t> gid;  ///< a section leaves it out: the gap chooses a free one for a new group
  /// Of a wanted state those that have to be in the group; other members stay.
  std::vector<std::string> members;
  /// Of a wanted state: true where a group of a directory service is not enough, since udev looks into /etc/group
  /// alone.
  std::optional<bool> in_file;
  /// Its whole line in /etc/group, as observed or as a step writes it. A section leaves out this and all below.
  std::optional<std::string> line;
  /// Observed, so that undo puts a line back in its place: the group on the line before it. "": it is the first line;
  /// nullopt: a line that is there stays where it is, and a new one goes to the end.
  std::optional<std::string> behind;
  /// The members in /etc/gshadow, separated by commas; nullopt: the group has no line there, and a step writes none.
  /// Its password is never kept.
  std::optional<std::string> shadow;
  std::optional<std::string> shadow_behind;  ///< as `behind`, in /etc/gshadow
  bool operator==(const GroupState&) const = default;
};

template <>
struct Fields<GroupState> {
  static constexpr std::string_view name = "group";
  static constexpr std::string_view doc = "A group and its members.";
  static constexpr auto table = Table{
      Field{"gid", &GroupState::gid, "Its number."},
      Field{"members", &GroupState::members, "Who is in it."},
      Field{"in_file", &GroupState::in_file, "It has to be in /etc/group."},
      Field{"line", &GroupState::line, "Its line in /etc/group."},
      Field{"behind", &GroupState::behind, "The group on the line before it."},
      Field{"shadow", &GroupState::shadow, "Its members in /etc/gshadow."},
      Field{"shadow_behind", &GroupState::shadow_behind, "The group before it in /etc/gshadow."},
  };
};

extern const Kind group_kind;

/// The comment in rdmastate's file of sysusers.d that lists the members that rdmastate added to a group.
inline constexpr std::string_view members_mark = "# Members by rdmastate:";
/// The names behind that mark; none where the text has no mark.
std::vector<std::string> marked_members(std::string_view text);

}  // namespace rdmastate
