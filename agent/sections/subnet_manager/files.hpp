// SPDX-License-Identifier: Apache-2.0
// How a section `subnet_manager` is spread over one family's files, and read back from them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/opensm.hpp"
#include "sections/subnet_manager/spec.hpp"

namespace rdmastate {

/// Whether each instance has a configuration of its own (RHEL, SUSE). GUIDS in sysconfig gives every instance after the
/// first another subnet prefix, and PRIORITY is one for all; so they say it only where that makes no difference.
bool needs_configs(const SubnetManagerSection& section, const OpensmLayout& layout);
/// Some membership is `both`, which OpenSM takes only with allow_both_pkeys.
bool has_both(const SubnetManagerSection& section);

/// "0xf4521403007bcba1 0xf4521403007bcba2"
std::string guid_list(const std::vector<SmInstance>& instances);
/// Its inverse; nullopt where something else stands there.
std::optional<std::vector<Guid>> guids_in(std::string_view list);

/// Debian: "/etc/systemd/system/opensm@0xf4521403007bcba1.service.d/rdmastate.conf"
std::string drop_in_path(const OpensmLayout& layout, Guid port);
/// Empty where the instance's unit needs no other options.
std::string drop_in_text(const SubnetManagerSection& section, const SmInstance& instance);
void read_drop_in(std::string_view text, SmInstance& instance);

/// The path and the text of one instance's configuration (opensm(8)).
std::string config_path(const OpensmLayout& layout, std::size_t index);
std::string config_text(const SubnetManagerSection& section, const SmInstance& instance, const OpensmLayout& layout);
/// A foreign configuration with what the spec says laid over it: every other line stays.
std::string config_over(std::string_view theirs, const SubnetManagerSection& section, const SmInstance& instance,
                        const OpensmLayout& layout);
/// nullopt where it names no GUID.
std::optional<SmInstance> instance_in_config(std::string_view text);

}  // namespace rdmastate
