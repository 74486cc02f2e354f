// SPDX-License-Identifier: Apache-2.0
#include "host/mounts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

// The kernel writes space, tab, newline and backslash as a backslash and three octal digits (seq_escape() in
// fs/proc_namespace.c).
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view digits = text.substr(std::min(at + 1, text.size()), 3);
    if (text[at] == '\\' && digits.size() == 3 && std::all_of(digits.begin(), digits.end(), ascii::is_octal)) {
      plain += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
      at += 3;
    } else {
      plain += text[at];
    }
  }
  return plain;
}

}  // namespace

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue": id, parent's id, device, root,
// mount point, options of the mount, any number of tags, a dash; then type, source and options of the file system.
std::vector<MountLine> mounts_from(std::string_view mountinfo) {
  constexpr std::size_t fixed_fields = 6;
  std::vector<MountLine> mounts;
  for (const auto& line : split(mountinfo, "\n")) {
    const auto fields = split(line, " ");
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (dash - fields.begin() < static_cast<std::ptrdiff_t>(fixed_fields) || fields.end() - dash < 4) continue;
    mounts.push_back({fields[2], unescaped(fields[4]), dash[1], unescaped(dash[2]), dash[3]});
  }
  return mounts;
}

std::string with_escaped_blanks(std::string_view path) {
  std::string word;
  for (const char c : path) word += c == ' ' ? "\\040" : std::string(1, c);
  return word;
}

std::string option_of(std::string_view options, std::string_view key) {
  for (const auto& option : split(options, ","))
    if (option.starts_with(key) && option.substr(key.size(), 1) == "=") return option.substr(key.size() + 1);
  return {};
}

bool has_option(std::string_view options, std::string_view word) {
  const auto words = split(options, ",");
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string escaped_path(std::string_view path) {
  constexpr std::string_view plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:_.";
  if (path == "/") return "-";
  path.remove_prefix(1);
  std::string name;
  for (const char c : path) {
    const bool is_first_dot = name.empty() && c == '.';
    if (c == '/') {
      name += '-';
    } else if (!is_first_dot && plain.find(c) != std::string_view::npos) {
      name += c;
    } else {
      name += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return name;
}

std::string nfs_lines(std::string_view mountinfo) {
  std::string kept;
  for_lines(mountinfo, [&](std::string_view line) {
    const auto mounts = mounts_from(line);
    if (mounts.empty()) return;
    const std::string& type = mounts.front().type;
    if (type == "autofs" || type.starts_with("nfs")) kept.append(line).append("\n");
  });
  return kept;
}

}  // namespace rdmastate
