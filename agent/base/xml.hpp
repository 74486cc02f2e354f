// SPDX-License-Identifier: Apache-2.0
// The elements of an XML text with their places in it, so that one element can be changed and every other byte kept:
// for the zones and services of firewalld.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate::xml {

/// One element. All offsets are bytes of the text.
struct Element {
  std::string name;
  std::map<std::string, std::string, std::less<>> attributes;  ///< references such as &amp; resolved
  std::size_t depth = 0;                                       ///< 0: the root
  std::size_t begin = 0;                                       ///< at its '<'
  std::size_t inner_begin = 0;                                 ///< behind its start tag
  std::size_t inner_end = 0;  ///< at its end tag; equal to `inner_begin` of <one/>, which has none
  std::size_t end = 0;        ///< behind its last '>'

  /// The attribute's value; empty where there is none.
  std::string_view value(std::string_view attribute) const;
};

/// All elements, in the order of their start tags; the root is the first. Throws Error with the line where the text is
/// not well-formed, and where it has what an attack may use and no configuration file needs: a document type (and so
/// entities), more than 1 MiB, more than 32 levels, another encoding than UTF-8.
std::vector<Element> elements(std::string_view text);

}  // namespace rdmastate::xml
