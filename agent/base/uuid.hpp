// SPDX-License-Identifier: Apache-2.0
// Makes UUIDs of names, for the connection profiles of NetworkManager.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// The version 5 UUID (RFC 9562, SHA-1) of a name in rdmastate's own namespace: the same interface has the same profile
/// UUID on every host and after every run.
std::string uuid_of(std::string_view name);

}  // namespace rdmastate
