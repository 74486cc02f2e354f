// SPDX-License-Identifier: Apache-2.0
// Reads a spec that is JSON (RFC 8259) by the grammar of JSON, into the same nodes with places as one that is YAML.
#pragma once

#include <optional>
#include <string_view>

#include "yaml/builder.hpp"
#include "yaml/prepass.hpp"

namespace rdmastate::yaml {

/// Whether a file is meant as JSON: its name ends with ".json", or its bytes begin with `{` and a key in double quotes.
/// It may be YAML all the same.
bool looks_like_json(std::string_view name, std::string_view bytes);

/// The first reason why `bytes`, which passed prepass_characters(), are not JSON; nullopt when they are, or are empty.
std::optional<Prepass::Problem> json_problem(std::string_view bytes);

/// Tells `builder` what stands in `bytes`, for which json_problem() is nullopt. JSON's strings become quoted scalars,
/// and everything else, also a key that is a number, plain ones: the reader of the tree sees the types of JSON.
void read_json(std::string_view bytes, Builder& builder);

}  // namespace rdmastate::yaml
