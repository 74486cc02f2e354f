// SPDX-License-Identifier: Apache-2.0
// What netplan can be told (netplan-generate(8)), where it puts the files that it generates, and what the files that it
// reads say.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/files.hpp"

namespace rdmastate {

/// netplan's program on every distribution that has one.
inline constexpr std::string_view netplan_program_path = "/usr/sbin/netplan";
/// Where netplan generates files for systemd-networkd, with this beginning of their names.
inline constexpr std::string_view netplan_generated_files = "/run/systemd/network/10-netplan-";
/// Where netplan generates profiles for NetworkManager, with this beginning of their names.
inline constexpr std::string_view netplan_generated_profiles = "/run/NetworkManager/system-connections/netplan-";
/// It is there while `netplan try` waits for an answer (try_command.py).
inline constexpr std::string_view netplan_try_stamp = "/run/netplan/netplan-try.ready";

/// The directories that netplan reads, each with files NAME.yaml.
inline constexpr std::array<std::string_view, 3> netplan_directories{"/lib/netplan", "/etc/netplan", "/run/netplan"};

/// The .network file that netplan generates of a definition; `id` is the definition's name.
std::string netplan_network_path(const std::string& id);
/// The profile that netplan generates of a definition.
std::string netplan_profile_path(const std::string& id);
/// Every file that netplan may generate of a definition, for either renderer and for udev.
std::vector<std::string> netplan_paths_of(const std::string& id);

/// What one of netplan's files says of one interface: an entry below "ethernets:" and the like.
struct NetplanDefinition {
  std::string id;    ///< the entry's name; without `match` it is the interface's
  std::string text;  ///< all that the entry says, printed so that two equal texts mean the same
  bool operator==(const NetplanDefinition&) const = default;
};
/// The definitions in the text of one of netplan's files; none where it is no YAML.
std::vector<NetplanDefinition> netplan_definitions(std::string_view text);

/// Files by their paths.
using GeneratedFiles = std::map<std::string, FileContent>;

/// The netplan of a host.
class Netplan {
 public:
  virtual ~Netplan() = default;
  /// Whether netplan_program_path is there.
  virtual bool is_here() = 0;
  /// What `netplan generate` makes of netplan's files as they are now, for all interfaces of the host. Nothing is
  /// written to the host's configuration: the caller takes the files that it wants. Throws Error with what the program
  /// said where it refuses one of its files.
  virtual GeneratedFiles generated() = 0;
};

}  // namespace rdmastate
