// SPDX-License-Identifier: Apache-2.0
// D-Bus values and JSON: dictionaries are objects, structs and arrays lists, variants what is in them.
#pragma once

#include <systemd/sd-bus.h>

#include "base/json.hpp"

namespace rdmastate {

/// One argument, as Bus::call() describes it.
void append_bus_value(sd_bus_message& message, const Json& value);
/// All values of a message, as a list. File descriptors become null.
Json read_bus_values(sd_bus_message& message);

}  // namespace rdmastate
