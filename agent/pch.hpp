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
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/instances.hpp"
