// SPDX-License-Identifier: Apache-2.0
// What Debian's ifupdown can be told (ifup(8)), and what it says of each interface in /run.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace rdmastate {

/// Where ifupdown keeps which interfaces it holds as up: ifquery(8) --state reads it too.
inline constexpr std::string_view ifstate_path = "/run/network/ifstate";
/// Which interfaces are up, each with the name of the `iface` stanzas that it was brought up by: its own, or another
/// one (ifup NAME=STANZA). ifup adds an interface before it begins, and takes it out again where it fails.
std::map<std::string, std::string> read_ifstate(std::string_view text);

/// Paths that Debian's ifupdown has, both. ifupdown2 and others bring programs of the same names, and keep another
/// state.
inline constexpr std::array<std::string_view, 2> ifupdown_signs{"/sbin/ifup", "/lib/ifupdown/settle-dad.sh"};

/// The name before the first dot: ifup takes the interface that has it for the parent; empty: there is no dot.
std::string ifupdown_parent(const std::string& interface);

/// The ifupdown of a host. up(), down() and force_down() throw Error with what the program said.
class Ifupdown {
 public:
  virtual ~Ifupdown() = default;
  /// Whether ifupdown_signs are there.
  virtual bool is_here() = 0;
  /// ifup: brings an interface up by its stanzas, its parent first. Nothing where it holds the interface already. May
  /// end well and not hold it: where a child cannot be made.
  virtual void up(const std::string& interface) = 0;
  /// ifdown. Takes down the interface's children, then the interface, each by the stanzas that stand in ifupdown's
  /// files now. The device of a child is deleted, also where the interface itself is one; a port's device stays. Where
  /// no stanza is left it only forgets the interface. Nothing where ifupdown does not hold the interface.
  virtual void down(const std::string& interface) = 0;
  /// ifdown --force: the same, also where ifupdown does not hold the interface.
  virtual void force_down(const std::string& interface) = 0;
};

}  // namespace rdmastate
