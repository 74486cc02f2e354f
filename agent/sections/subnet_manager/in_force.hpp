// SPDX-License-Identifier: Apache-2.0
// Tells which subnet managers OpenSM's files start on a host, and with which settings. The plan asks this of the files
// as they are and as they will be: a foreign setting that is in force only now is displaced. Pure.
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

/// A setting of an instance that differs from OpenSM's default.
struct SettingInForce {
  std::string value;
  std::string path;   ///< the file that says so
  bool ours = false;  ///< rdmastate wrote that file
};

/// A subnet manager as the files on the host start it.
struct SmInForce {
  std::optional<Guid> port;  ///< unset: every port (Debian), or one that OpenSM chooses (RHEL, SUSE)
  std::string path;          ///< the file that makes it start
  bool ours = false;         ///< rdmastate wrote that file
  /// By their names in opensm.conf, without OpenSM's defaults. Under "options": the words of its command (ExecStart)
  /// that stand for no setting.
  std::map<std::string, SettingInForce> settings;
  /// The path of the configuration that its command names (--config); empty: it names none, or one that is not known.
  std::string config = {};
};

/// The subnet managers that Debian's units or opensm-launch start from these files.
std::vector<SmInForce> opensm_in_force(std::span<const OpensmFile> files, const OpensmLayout& layout);

/// The files as they are once all that is wanted is there. Files that a plan removes are still among them: only the
/// ledger names these, and a section does not read it.
std::vector<OpensmFile> opensm_files_with(std::span<const OpensmFile> files, std::span<const Wanted* const> wanted,
                                          const OpensmLayout& layout);

/// The foreign opensm.conf.N of this port, as a pointer into `files`; nullptr where there is none, or where the list of
/// ports is not empty: then the launcher reads no opensm.conf.N.
const OpensmFile* config_of_others(std::span<const OpensmFile> files, const OpensmLayout& layout, Guid port);

/// The foreign settings that are in force now and no longer once all that is wanted is there (displaced.cpp).
std::vector<Displaced> displaced_by_opensm(const Facts& facts, std::span<const Wanted* const> wanted);

}  // namespace rdmastate
