// SPDX-License-Identifier: Apache-2.0
// Converts D-Bus values to JSON and back: a dictionary is an object, a struct or an array is a list, a variant is the
// value in it.
#pragma once

#include <systemd/sd-bus.h>

#include "base/json.hpp"

namespace rdmastate {

/// Appends one argument to a message. A string becomes D-Bus type s, a number that is not negative u, a list of strings
/// as. A value of another type stands in an object under its type: {"o": path}, {"t": number}, {"a{sa{sv}}": {}},
/// {"a(sv)": [["Name", {"s": value}]]}. Its numbers and booleans may be of the types b, u, i and t. Throws SystemError
/// where libsystemd does not take the value, and Error where its form is none of these.
void append_bus_value(sd_bus_message& message, const Json& value);
/// Reads all values of a message as a list. A file descriptor becomes null. Throws SystemError where libsystemd cannot
/// read the message.
Json read_bus_values(sd_bus_message& message);

}  // namespace rdmastate
