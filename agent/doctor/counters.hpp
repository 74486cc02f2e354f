// SPDX-License-Identifier: Apache-2.0
// Reads the counters of ports and network devices; checks compare those of two looks at a host.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rdmastate::doctor {

class Examination;

/// Values by path in sysfs.
using Counters = std::map<std::string, std::uint64_t>;

/// Reads the counters that checks ask for, of every port and its network device. Those that the kernel does not show,
/// or this user may not read, are left out.
Counters read_counters(Examination& look);

/// The counters in what `doctor -o json` printed earlier. Throws Error where the text is something else; `name` is the
/// file's, for the message.
Counters counters_of_look(std::string_view json, const std::string& name);

}  // namespace rdmastate::doctor
