// SPDX-License-Identifier: Apache-2.0
#include "sections/interface_name.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"

namespace rdmastate {
namespace {

// Whether udev, systemd and NetworkManager all take the character in a name as it is.
bool is_kept(char c) {
  constexpr std::string_view others = "#+-.=@_";
  return ascii::is_one_of(c, others);
}

// As systemd's parse_ifindex() reads it: 16, +16, 0x10, 0b10000 and 0o20.
bool is_number(std::string_view name) {
  if (name.starts_with('+')) name.remove_prefix(1);
  const auto all_of = [&](std::string_view prefix, std::string_view digits) {
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           name.find_first_not_of(digits, prefix.size()) == std::string_view::npos;
  };
  return all_of("", "0123456789") || all_of("0x", "0123456789abcdefABCDEF") || all_of("0X", "0123456789abcdefABCDEF") ||
         all_of("0b", "01") || all_of("0o", "01234567");
}

// Why the name is refused, as the end of a sentence that begins with it; empty: it is not.
std::string why_not(std::string_view name) {
  if (name == "all" || name == "default") return "is what sysctl calls the settings of all interfaces";
  if (is_number(name)) return "is a number, which programs take for an index";
  if (name.front() == '-') return "begins with '-', which programs take for an option";
  const auto odd = std::find_if_not(name.begin(), name.end(), is_kept);
  if (odd == name.end()) return {};
  const bool ascii = static_cast<unsigned char>(*odd) < 0x80;
  return fmt::format("holds {}: ASCII letters, digits and #+-.=@_ are what udev, systemd and NetworkManager all keep",
                     ascii ? fmt::format("'{}'", *odd) : "a character that is not ASCII");
}

}  // namespace

void check_interface_name(const IfName& name, std::string path, Report& report) {
  if (name.value.empty()) return;  // it could not be read, which is reported already
  if (const std::string reason = why_not(name.value); !reason.empty())
    complain(report, std::move(path), fmt::format("the name {} {}", printable(name.value), reason),
             "give the interface another name, such as mlx4_ib0");
}

}  // namespace rdmastate
