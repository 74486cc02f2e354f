// SPDX-License-Identifier: Apache-2.0
// A module parameter's value as people write it and as the kernel prints it (kernel/params.c). Pure.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// `wanted` as the kernel would print it for a parameter that it prints as `live` now: a boolean is Y or N, a number is
/// decimal, each element of an array for itself; anything else is itself.
std::string printed_like(std::string_view live, std::string_view wanted);

/// Whether the parameter has that value already. Elements that an array has beyond those wanted are 0.
bool is_value(std::string_view live, std::string_view wanted);

/// Whether the kernel takes it for such a parameter: a boolean's word for Y or N, a number for a number.
bool takes_value(std::string_view live, std::string_view wanted);

}  // namespace rdmastate
