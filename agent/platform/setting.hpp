// SPDX-License-Identifier: Apache-2.0
// What a configuration file says, one setting at a time, so that two files can be compared. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// Of which devices a udev rule or a .link file speaks.
struct Condition {
  std::string key;                    ///< "ATTR{address}", "Path"
  std::vector<std::string> patterns;  ///< one of them has to match: *, ? and [...]
  bool negated = false;
  bool operator==(const Condition&) const = default;
};

/// One setting of a configuration file.
struct Setting {
  std::string what;                  ///< what is set: "options ib_core netns_mode", "[Service] LimitMEMLOCK"
  std::string value;                 ///< in one form, whatever it was written in
  std::string text;                  ///< for people: as it stands, or near to that
  bool first = false;                ///< of several the first one that is read counts, not the last
  bool final = false;                ///< nothing that is read later changes it
  bool adds = false;                 ///< to what is there: it takes nothing away
  std::vector<Condition> when = {};  ///< none: it is said of nothing in particular
};
/// Of one file, in its order.
using Settings = std::vector<Setting>;

/// Whether `pattern` matches all that `other`, a pattern or a name, does; false where that is not plain.
bool covers(std::string_view pattern, std::string_view other);
/// Whether anything is matched by both.
bool overlap(std::string_view one, std::string_view other);

/// Whether two lists of conditions speak of the same device.
enum class Meets : std::uint8_t { never, maybe, always };
/// Whether what `theirs` speaks of is what `ours` does. It may be where theirs asks for something that ours says
/// nothing of, or for less than ours does, but only if it names our device by something that tells devices apart.
Meets meets(const std::vector<Condition>& ours, const std::vector<Condition>& theirs);

/// modprobe.d(5): options, and what keeps a module away.
Settings modprobe_settings(std::string_view text);
/// modules-load.d(5), as modprobe_settings() has what keeps one away.
Settings modules_load_settings(std::string_view text);
/// limits.conf(5): memlock alone.
Settings limits_settings(std::string_view text);
/// nfs.conf(5): the RDMA listener.
Settings nfs_settings(std::string_view text);
/// systemd's files, key by key; without lists, which others may add to, and without [Unit] and [Install].
Settings unit_settings(std::string_view text);
/// A .link file as a whole: of those that match, one is read. Of rdmastate's own files also what is known of the
/// interface.
Settings link_settings(std::string_view text);
Settings own_link_settings(std::string_view text);
/// udev(7): names, owners and modes, and what starts a unit. Of rdmastate's own rules also what follows from them.
Settings rule_settings(std::string_view text);
Settings own_rule_settings(std::string_view text);

}  // namespace rdmastate
