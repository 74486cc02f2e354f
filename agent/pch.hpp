// SPDX-License-Identifier: Apache-2.0
// Compiled once: the headers that cost more than our own code does.
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
#include <vector>

// Its literals use the whole parser: gcc makes that anew in each source, also where nobody asks for JSON; clang once.
#ifdef __clang__
#include <nlohmann/json.hpp>
#endif
