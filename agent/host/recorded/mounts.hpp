// SPDX-License-Identifier: Apache-2.0
// What a recorded host's systemd does with .mount and .automount units of NFS: lines of mountinfo.
#pragma once

#include <string>

#include "host/recorded/model.hpp"

namespace rdmastate::mounting {

/// What the unit's file says is mounted from now on; of an automount that somebody may look there. Nothing of a unit
/// that is neither.
void begin(HostModel& model, const std::string& unit);
void end(HostModel& model, const std::string& unit);

}  // namespace rdmastate::mounting
