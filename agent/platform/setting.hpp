// SPDX-License-Identifier: Apache-2.0
// Reads configuration files into a list of Settings, so that plan/overridden.cpp can find foreign files that win over a
// file of rdmastate: those that set the same thing, and count more for the device. Conditions are in condition.cpp,
// .link files and udev rules in device_settings.cpp. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// One condition of a udev rule or a .link file on the devices that it is for.
struct Condition {
  std::string key;                    ///< "ATTR{address}", "Path"
  std::vector<std::string> patterns;  ///< one of them has to match: *, ? and [...]
  bool negated = false;
  bool operator==(const Condition&) const = default;
};

/// One setting of a configuration file.
struct Setting {
  std::string what;    ///< what is set: "options ib_core netns_mode", "[Service] LimitMEMLOCK"
  std::string value;   ///< in one form for module options, memory limits and nfs.conf's rdma; else as written
  std::string text;    ///< for people: as it stands in the file, or nearly so
  bool first = false;  ///< of several the first one that is read counts, not the last
  bool final = false;  ///< nothing that is read later changes it
  bool adds = false;   ///< assigned by += or -=; never counts as winning, even where -= takes a TAG away
  std::vector<Condition> when = {};  ///< all have to hold; empty: it always holds
};
/// The settings of one file, in its order.
using Settings = std::vector<Setting>;

/// Whether `pattern` matches all that `other`, a pattern or a name, matches; false where this cannot be told.
bool covers(std::string_view pattern, std::string_view other);
/// Whether a text exists that both patterns match.
bool overlap(std::string_view one, std::string_view other);

/// Whether two lists of conditions speak of the same device.
enum class Meets : std::uint8_t { never, maybe, always };
/// Whether a setting under the conditions `theirs` holds for the device that `ours` describe. `maybe` where theirs ask
/// for a key that ours do not have, or fit ours in part, but only if both name a key that tells devices apart; else
/// `never`.
Meets meets(const std::vector<Condition>& ours, const std::vector<Condition>& theirs);

/// modprobe.d(5): options, and what keeps a module from being loaded ("load MODULE" is "no").
Settings modprobe_settings(std::string_view text);
/// modules-load.d(5): "load MODULE" is "yes", to be compared with modprobe_settings().
Settings modules_load_settings(std::string_view text);
/// limits.conf(5): memlock, and whom a line exempts from all limits.
Settings limits_settings(std::string_view text);
/// nfs.conf(5): the RDMA listener and the threads.
Settings nfs_settings(std::string_view text);
/// systemd's files, key by key; without lists, which others may add to, and without [Unit] and [Install].
Settings unit_settings(std::string_view text);
/// The part of unit_settings() that rdmastate's files may set: of networkd's files the sections that describe an
/// interface; of mounts [Mount] and [Automount]; of services LimitMEMLOCK, or ExecStart. Nothing else, since a record
/// keeps what these functions read of a foreign file, which may also hold keys and passwords.
Settings network_settings(std::string_view text);
Settings mount_settings(std::string_view text);
Settings limit_settings(std::string_view text);
Settings command_settings(std::string_view text);
/// systemd.link(5): one setting for the file, since systemd reads only the first file that matches; none without
/// [Match]. own_link_settings() is for rdmastate's files, and adds the kernel's names of IPoIB interfaces to their
/// conditions.
Settings link_settings(std::string_view text);
Settings own_link_settings(std::string_view text);
/// udev(7): names, groups, modes, and what starts a unit. own_rule_settings() is for rdmastate's rules, and adds the
/// conditions that follow from them.
Settings rule_settings(std::string_view text);
Settings own_rule_settings(std::string_view text);

}  // namespace rdmastate
