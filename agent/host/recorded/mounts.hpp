// SPDX-License-Identifier: Apache-2.0
// Imitates, on a recorded host, what systemd does when an NFS mount's .mount or .automount unit is started or stopped:
// a line of mountinfo comes or goes.
#pragma once

#include <string>

#include "host/recorded/model.hpp"

namespace rdmastate::mounting {

/// begin() adds the mountinfo line of the mount that the unit's file describes, end() removes it. Both do nothing for
/// units of another type, where the unit has no file, and where the line is there, or gone, already.
void begin(HostModel& model, const std::string& unit);
void end(HostModel& model, const std::string& unit);

}  // namespace rdmastate::mounting
