// SPDX-License-Identifier: Apache-2.0
#include "sections/interface_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rdmastate {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_kept(char c) {
  constexpr std::string_view others = "#+-.=@_";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || others.find(c) != std::string_view::npos;
}

std::string why_not(std::string_view name) {
  if (name == "all" || name == "default") return "is what sysctl calls the settings of all interfaces";
  if (std::all_of(name.begin(), name.end(), is_digit)) return "is a number, which programs take for an index";
  if (name.front() == '-') return "begins with '-', which programs take for an option";
  const auto odd = std::find_if_not(name.begin(), name.end(), is_kept);
  if (odd == name.end()) return {};
  const bool ascii = static_cast<unsigned char>(*odd) < 0x80;
  return fmt::format("holds {}: ASCII letters, digits and #+-.=@_ are what udev, systemd and NetworkManager all keep",
                     ascii ? fmt::format("'{}'", *odd) : "a character that is not ASCII");
}

}  // namespace

void check_interface_name(const IfName& name, std::string path, Report& report) {
  if (name.value.empty()) return;
  if (const std::string reason = why_not(name.value); !reason.empty())
    complain(report, std::move(path), fmt::format("the name {} {}", printable(name.value), reason),
             "give it another name, such as mlx4_ib0");
}

}  // namespace rdmastate
