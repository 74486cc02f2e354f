// SPDX-License-Identifier: Apache-2.0
// How a section `subnet_manager` is spread over the files of one family of distributions, and read back from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/opensm.hpp"
#include "sections/subnet_manager/spec.hpp"

namespace rdmastate {

/// Whether each instance needs its own configuration (RHEL, SUSE; false without instances). The entries GUIDS and
/// PRIORITY of sysconfig are enough for a single instance without a subnet prefix of its own and without `options`,
/// where no membership is `both` and OpenSM reads the partitions by itself. Of several instances GUIDS would give each
/// after the first another subnet prefix, and PRIORITY is one for all.
bool needs_configs(const SubnetManagerSection& section, const OpensmLayout& layout);
/// Whether some membership is `both`, which OpenSM takes only with allow_both_pkeys.
bool has_both(const SubnetManagerSection& section);

/// "0xf4521403007bcba1 0xf4521403007bcba2"
std::string guid_list(const std::vector<SmInstance>& instances);
/// The inverse; nullopt where the list holds anything but GUIDs.
std::optional<std::vector<Guid>> guids_in(std::string_view list);

/// Debian: "/etc/systemd/system/opensm@0xf4521403007bcba1.service.d/rdmastate.conf"
std::string drop_in_path(const OpensmLayout& layout, Guid port);
/// The drop-in's text; empty where the instance's unit needs no other options.
std::string drop_in_text(const SubnetManagerSection& section, const SmInstance& instance, const OpensmLayout& layout);
/// The inverse: sets priority and prefix of `instance`, to nullopt where the text does not give them.
void read_drop_in(std::string_view text, SmInstance& instance);

/// Debian: the text of an instance's own configuration, opensm_config_on(): its `options` alone, since the command line
/// gives the rest.
std::string options_text(const SmInstance& instance);
/// A foreign configuration, whose text is `theirs`, with the instance's `options` in it, and where the spec has
/// partitions with the path of their file. Every other line stays.
std::string options_over(std::string_view theirs, const SubnetManagerSection& section, const SmInstance& instance,
                         const OpensmLayout& layout);

/// Where the OpenSM on a port logs, on every family: "/var/log/opensm.0xf4521403007bcba1.log".
std::string log_path(Guid port);

/// The path (opensm.conf.N, where N is `index` + 1) and the text of one instance's configuration (opensm(8)).
std::string config_path(const OpensmLayout& layout, std::size_t index);
std::string config_text(const SubnetManagerSection& section, const SmInstance& instance, const OpensmLayout& layout);
/// A foreign configuration, whose text is `theirs`, with what the spec says in it. Where it names no log file, or
/// OpenSM's usual one, it gets log_path(). Every other line stays.
std::string config_over(std::string_view theirs, const SubnetManagerSection& section, const SmInstance& instance,
                        const OpensmLayout& layout);
/// The instance that a configuration sets up; nullopt where it names no port GUID, or 0.
std::optional<SmInstance> instance_in_config(std::string_view text);

}  // namespace rdmastate
