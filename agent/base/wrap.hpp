// SPDX-License-Identifier: Apache-2.0
// Breaks lines of text for people at the width of their terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rdmastate {

/// Text of many lines, printable as by printable_lines(), with lines of at most `width` characters where they have
/// blanks to be broken at: the rest of a line stands two columns deeper. Indented lines of a diff, which begin with + -
/// or @, and lines of a spec with their numbers stay as they are, so that they can be copied. Colours take no room.
/// With `width` 0 no line is broken.
std::string wrapped_lines(std::string_view text, std::size_t width);

}  // namespace rdmastate
