// SPDX-License-Identifier: Apache-2.0
// Makes a value safe inside one file format, or throws Error when the format cannot hold it. What each format may hold
// is said in base/template.hpp.
#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/template.hpp"

namespace rdmastate {

using ascii::is_control;

std::string escape_line(const std::string& value) {
  if (std::any_of(value.begin(), value.end(), is_control))
    throw Error("a value with a control character cannot be written into a configuration file");
  return value;
}

std::string escape_udev(const std::string& value) {
  std::string safe;
  for (const char c : value) {
    if (is_control(c) || c == '"' || c == '\\')
      throw Error("a value with a control character, quote or backslash cannot be written into a udev rule");
    if (c == '$' || c == '%') safe.push_back(c);
    safe.push_back(c);
  }
  return safe;
}

std::string escape_unit(const std::string& value) {
  std::string safe;
  for (const char c : value) {
    if (is_control(c) || c == '\\')
      throw Error("a value with a control character or backslash cannot be written into a systemd unit");
    if (c == '%') safe.push_back(c);
    safe.push_back(c);
  }
  return safe;
}

std::string escape_exports(const std::string& value) {
  constexpr std::string_view special = " \"#";
  std::string safe;
  for (const char c : value) {
    if (is_control(c) || c == '\\')
      throw Error("a value with a control character or backslash cannot be written into a file of exports");
    if (special.find(c) == special.npos) {
      safe.push_back(c);
    } else {
      safe += fmt::format("\\{:03o}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return safe;
}

std::string escape_opensm(const std::string& value) {
  if (!ascii::holds_only(value, "._-/"))
    throw Error("a value with separators or blanks cannot be written into a file of OpenSM's");
  return value;
}

std::string escape_opensm_option(const std::string& value) {
  if (!ascii::holds_only(value, "._-/:,"))
    throw Error("a value with blanks, quotes or '#' cannot be written into OpenSM's configuration");
  return value;
}

std::string escape_interfaces(const std::string& value) {
  if (value.empty() || !ascii::holds_only(value, "._:/-"))
    throw Error("a value with anything but letters, digits and ._:/- cannot be written into an interfaces file");
  return value;
}

}  // namespace rdmastate
