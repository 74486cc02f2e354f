// SPDX-License-Identifier: Apache-2.0
// The lines of a keyfile that come in numbers: address1, route2 (nm-settings-keyfile(5)).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// "address7" of "address", and not "address-data".
bool is_numbered(std::string_view key, std::string_view head);

/// A line of a route, as resources/nm_profile/keyfile_family.hpp reads it.
std::string keyfile_route_line(const ProfileRoute& route);

}  // namespace rdmastate
