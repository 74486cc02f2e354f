// SPDX-License-Identifier: Apache-2.0
// Tells which items of a plan are alike, so that the printer can print their texts as one.
#pragma once

#include <optional>
#include <string>

#include "plan/print_items.hpp"

namespace rdmastate {

/// One text for `in_a`, which says something of item `a`, and `in_b`, which says something of `b`: the texts are equal,
/// or become equal with "*" in place of the words that only one of the two titles has. nullopt: they are not alike.
std::optional<std::string> common_text(const ItemText& a, const std::string& in_a, const ItemText& b,
                                       const std::string& in_b);

/// Whether the columns of two items may be printed as one: of the same field, with the same next boot, both or neither
/// a default, both or neither absent now.
bool are_alike(const Column& a, const Column& b);
/// Whether the bodies of two items may be printed as one: there are none, or they are files that are created or
/// removed, have as many lines, and at least half of them are the same.
bool are_alike(const ItemText& a, const ItemText& b);
/// Whether one first line can tell both items: their marks, verbs, kinds, differences, disruptions and causes are
/// equal.
bool have_one_head(const ItemText& a, const ItemText& b);

}  // namespace rdmastate
