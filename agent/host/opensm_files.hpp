// SPDX-License-Identifier: Apache-2.0
// What the files say that OpenSM, and what starts it, are configured by, of what other hosts feel.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/facts.hpp"
#include "host/place.hpp"

namespace rdmastate {

/// Every configuration, file of entries and unit of OpenSM's that is there, wherever a distribution has them. Their
/// settings:
/// - of opensm.conf, and of the launcher's opensm.conf.N, as opensm_options_in() has them;
/// - of /etc/default and /etc/sysconfig: PORTS, GUIDS and PRIORITY as they stand there;
/// - of units and drop-ins in /etc: ExecStart, the last one.
std::vector<OpensmFile> read_opensm_files(const Snapshot& snapshot, std::vector<std::string>& unseen);

/// Of a configuration's text: the port's GUID, and what other hosts feel and is not as it would be without the file
/// (osm_subn_set_default_opt of OpenSM 3.3.24); numbers in one form, keys' values hidden.
std::map<std::string, std::string> opensm_options_in(std::string_view text);

/// A file's settings by what its path says it is; empty: it is none of OpenSM's.
std::map<std::string, std::string> opensm_settings_of(const std::string& path, std::string_view text);

/// What a record keeps of a configuration: all of it but the keys of the subnet.
Kept kept_opensm_config(const FileToKeep& file);

/// The places of the units and drop-ins that start it.
FilePlaces opensm_unit_places();

/// The text of an option's line without its comment: its name, and its value without blanks and quotes.
struct OpensmLine {
  std::string_view name;
  std::string_view value;
};
/// Takes a line apart; both parts are empty for a blank or a comment. They point into `line`.
OpensmLine opensm_line(std::string_view line);

}  // namespace rdmastate
