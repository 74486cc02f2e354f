// SPDX-License-Identifier: Apache-2.0
// What a recorded host's systemd does with .mount and .automount units of NFS: lines of mountinfo.
#pragma once

#include <string>

#include "host/recorded/model.hpp"

namespace rdmastate::mounting {

/// begin() adds the line of what the unit's file mounts, end() removes it. Both do nothing for other types of units.
void begin(HostModel& model, const std::string& unit);
void end(HostModel& model, const std::string& unit);

}  // namespace rdmastate::mounting
