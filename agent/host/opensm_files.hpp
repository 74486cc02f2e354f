// SPDX-License-Identifier: Apache-2.0
// Reads the files that configure OpenSM, and the units and option files by which it is started.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"
#include "host/place.hpp"

namespace rdmastate {

/// Every configuration file and options file (/etc/default, /etc/sysconfig) of OpenSM on the host, wherever a
/// distribution has it, and the units and drop-ins of single ports in /etc: opensm@*, not opensm.service. Paths that
/// this user may not read are added to `unseen`. The settings:
/// - of opensm.conf, of opensm.conf.N (for the launcher of RHEL and SUSE, which starts an OpenSM for each) and of
///   opensm.conf.GUID (for Debian's unit of one port), as opensm_options_in() has them;
/// - of /etc/default and /etc/sysconfig: PORTS, GUIDS and PRIORITY as they stand there;
/// - of units and drop-ins: ExecStart, the last one.
std::vector<OpensmFile> read_opensm_files(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// The options of a configuration's text (opensm_options()) that are not the default, in the form of opensm_value();
/// values of keys are hidden.
std::map<std::string, std::string> opensm_options_in(std::string_view text);

/// The settings of a file, read as its path demands; empty also for a path that is none of OpenSM's.
std::map<std::string, std::string> opensm_settings_of(const std::string& path, std::string_view text);

/// What a record keeps of a configuration: all of it, with the subnet's keys hidden unless they are the default.
Kept kept_opensm_config(const FileToKeep& file);

/// The places of the units and drop-ins that start OpenSM.
FilePlaces opensm_unit_places();

/// The text of an option's line without its comment: its name, and its value without blanks and quotes.
struct OpensmLine {
  std::string_view name;
  std::string_view value;
};
/// Takes a line apart; both parts are empty for a blank or a comment. They point into `line`.
OpensmLine opensm_line(std::string_view line);

}  // namespace rdmastate
