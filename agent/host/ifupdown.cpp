// SPDX-License-Identifier: Apache-2.0
#include "host/ifupdown.hpp"

#include "base/lines.hpp"

namespace rdmastate {

std::map<std::string, std::string> read_ifstate(std::string_view text) {
  std::map<std::string, std::string> held;
  for_lines(text, [&](std::string_view line) {
    const std::string_view word = trimmed(line);
    const std::size_t equals = word.find('=');
    if (equals != std::string_view::npos) held.emplace(word.substr(0, equals), word.substr(equals + 1));
  });
  return held;
}

std::string ifupdown_parent(const std::string& interface) {
  const std::size_t dot = interface.find('.');
  return dot == std::string::npos ? std::string() : interface.substr(0, dot);
}

}  // namespace rdmastate
