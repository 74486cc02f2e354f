// SPDX-License-Identifier: Apache-2.0
// Reads a field that the state of a step must have: a step from a damaged run may lack it, which is an Error.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "base/error.hpp"

namespace rdmastate {

/// The value of a state's field, which is called `name`. Throws Error with that name where the field has no value.
template <class Value>
const Value& said(const std::optional<Value>& value, std::string_view name) {
  if (!value) throw Error(fmt::format("the state that was recorded has no {}", name));
  return *value;
}

}  // namespace rdmastate
