// SPDX-License-Identifier: Apache-2.0
// Explanations of yaml-cpp's syntax errors.
#pragma once

#include <string_view>

#include "base/report.hpp"

namespace rdmastate::yaml {

/// What yaml-cpp says about a syntax error, in words that help. Pure; unknown texts are passed on.
Complaint explain_syntax(std::string_view yaml_cpp_says);

}  // namespace rdmastate::yaml
