// SPDX-License-Identifier: Apache-2.0
// A spec that is JSON (RFC 8259): read by its own grammar, into the same tree with the same places.
#pragma once

#include <optional>
#include <string_view>

#include "yaml/builder.hpp"
#include "yaml/prepass.hpp"

namespace rdmastate::yaml {

/// Whether a file is meant as JSON: its name ends with ".json", or its bytes begin with `{` and a key in double quotes.
/// It may be YAML all the same.
bool looks_like_json(std::string_view name, std::string_view bytes);

/// The first thing that makes `bytes`, which passed prepass_characters(), no JSON.
std::optional<Prepass::Problem> json_problem(std::string_view bytes);

/// Tells `builder` what stands in `bytes`, of which json_problem() is nothing. JSON's strings become quoted scalars,
/// and everything else plain ones, so that what reads the tree sees the types that JSON has.
void read_json(std::string_view bytes, Builder& builder);

}  // namespace rdmastate::yaml
