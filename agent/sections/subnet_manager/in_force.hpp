// SPDX-License-Identifier: Apache-2.0
// Which subnet managers OpenSM's files make on a host, and what each one reads: so that two sets of files can be
// compared. Pure.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "host/facts.hpp"
#include "platform/opensm.hpp"
#include "resources/wanted.hpp"

namespace rdmastate {

/// What an instance goes by, of what other hosts feel and is not as OpenSM has it by itself.
struct SettingInForce {
  std::string value;
  std::string path;   ///< the file that says so
  bool ours = false;  ///< rdmastate wrote that file
};

/// A subnet manager as the files on the host start it.
struct SmInForce {
  std::optional<Guid> port;  ///< unset: OpenSM takes one, or all of them
  std::string path;          ///< the file that has it started
  bool ours = false;
  std::map<std::string, SettingInForce> settings;
};

/// As Debian's units and opensm-launch start them.
std::vector<SmInForce> opensm_in_force(std::span<const OpensmFile> files, const OpensmLayout& layout);

/// The files as they are once all that is wanted is there.
std::vector<OpensmFile> opensm_files_with(std::span<const OpensmFile> files, std::span<const Wanted* const> wanted,
                                          const OpensmLayout& layout);

/// The opensm.conf.N of others that has this port, while the launcher reads those; nullptr: there is none.
const OpensmFile* config_of_others(std::span<const OpensmFile> files, const OpensmLayout& layout, Guid port);

/// What of others' is in force now and is not once all that is wanted is there.
std::vector<Displaced> displaced_by_opensm(const Facts& facts, std::span<const Wanted* const> wanted);

}  // namespace rdmastate
