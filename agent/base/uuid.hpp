// SPDX-License-Identifier: Apache-2.0
// Version 5 UUIDs: profile identifiers that stay the same.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// The version 5 UUID (RFC 9562, SHA-1) of a name in rdmastate's own namespace: the same interface has the same profile
/// UUID on every host and after every run.
std::string uuid_of(std::string_view name);

}  // namespace rdmastate
