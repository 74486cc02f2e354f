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
#include <variant>
#include <vector>
