// SPDX-License-Identifier: Apache-2.0
// Reads the facts that a user gives about the host for which a tree is meant: `--facts FILE`.
#pragma once

#include <string>
#include <string_view>

#include "host/facts.hpp"

namespace rdmastate {

/// Reads the text of a file of facts: the output of `show -o json`, the object "facts" of that output alone, or a
/// record. Strict, by the field table; an Error names the file (`name`) and the place. A file without any device,
/// version or manager is an Error too.
Facts read_given_facts(std::string_view json, const std::string& name);

/// The managers that run or are enabled by the given facts, for a tree in which none is found: each counts as enabled,
/// none as running.
std::vector<Manager> given_managers(const Facts& given);

}  // namespace rdmastate
