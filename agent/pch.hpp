// SPDX-License-Identifier: Apache-2.0
// The precompiled header of the rooms that use neither `host` nor `resources` (room() in CMakeLists.txt): headers of
// the standard library and fmt, which take longer to compile than the code of these rooms.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Containers that nearly each source uses are compiled once, in base/instances.cpp, instead of in each unit.
extern template class std::vector<std::string>;
extern template class std::set<std::string>;
extern template class std::map<std::string, std::string>;
extern template class std::map<std::string, std::set<std::string>>;
