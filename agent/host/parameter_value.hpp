// SPDX-License-Identifier: Apache-2.0
// Compares a module parameter's value as people write it with the value as the kernel prints it (kernel/params.c).
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace rdmastate {

/// `wanted` as the kernel would print it for a parameter that it prints as `live` now: a boolean is Y or N; a number is
/// the text of `live` where they are equal, else decimal; anything else stays as it is. Of an array each element is
/// taken by itself. Only the module knows a parameter's type, so what `live` looks like tells it.
std::string printed_like(std::string_view live, std::string_view wanted);

/// Whether `live` is the value `wanted` already. Elements of an array beyond the wanted ones must be 0 or N.
bool is_value(std::string_view live, std::string_view wanted);

/// Whether the kernel takes `wanted` for a parameter that it prints as `live`: a boolean where that is Y or N, a number
/// (or "off", as ib_srp's timeouts may be) where that is a number, anything elsewhere.
bool takes_value(std::string_view live, std::string_view wanted);

}  // namespace rdmastate
