// SPDX-License-Identifier: Apache-2.0
// Explains a field of a field table to people: `rdmastate explain`.
#pragma once

#include <string>
#include <string_view>

#include "base/fields.hpp"

namespace rdmastate {

/// What a person wants to know about a field. For "ipoib.pkey": what it is, what it takes, what an object that is
/// created gets without it, and an example. For a path to a record: its fields; for the empty path those of `root`.
/// Lists and maps need no index: "ipoib.ipv4.routes.via". Throws Error for a malformed path and for an unknown one,
/// with the nearest name if one is near.
std::string explain(const Record& root, std::string_view path);

/// What a field takes, in words: "a list, each an IP address with its prefix length".
std::string field_takes(const FieldInfo& field);

}  // namespace rdmastate
