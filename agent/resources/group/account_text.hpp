// SPDX-License-Identifier: Apache-2.0
// Reads the texts of /etc/passwd, /etc/group and /etc/gshadow (passwd(5), group(5), gshadow(5)), and sets or removes
// one line of them; every other byte stays. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

/// One line of such a text, as account_line() finds it.
struct AccountLine {
  std::vector<std::string> fields;  ///< between the colons
  std::string text;                 ///< as it stands there, without the newline
  std::string behind;               ///< the name on the line before it; empty: it is the first
};

/// The line of a group or gshadow text that counts: the first of that name with four fields. A line with another number
/// of fields is skipped, as by the C library. nullopt: there is none.
std::optional<AccountLine> account_line(std::string_view text, std::string_view name);
/// The text with `line` in place of the one that account_line() finds for `name`. Where it finds none, `line` is
/// inserted behind the line of the account `behind` (empty: as the first line); where that is missing or nullopt, as
/// the last line before those of NIS ("+", "-").
std::string with_account_line(std::string_view text, std::string_view name, std::string_view line,
                              const std::optional<std::string>& behind);
/// The text without the line that account_line() finds for `name`; the same text where it finds none.
std::string without_account_line(std::string_view text, std::string_view name);

/// A line of group(5) with "x" in place of its password; empty where `line` is no line of group(5).
std::string without_password(std::string_view line);

/// The names of "a,b", without empty ones; and the text of such names.
std::vector<std::string> split_names(std::string_view names);
std::string join_names(const std::vector<std::string>& names);
/// A uid or gid in decimal digits; nullopt: the text is no such number, or more than 32 bits hold.
std::optional<std::uint32_t> id_from(std::string_view text);

/// A user of a passwd text.
struct PasswdUser {
  std::string name;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;  ///< of the primary group
};
/// The users of a passwd text. Lines that are no users, such as comments and NIS's, are left out.
std::vector<PasswdUser> passwd_users(std::string_view text);
/// A group of a group text.
struct ListedGroup {
  std::string name;
  std::uint32_t gid = 0;
  std::vector<std::string> members;  ///< without those whose primary group it is
};
/// The groups of a group text.
std::vector<ListedGroup> listed_groups(std::string_view text);
/// The gids of a group text.
std::vector<std::uint32_t> group_ids(std::string_view text);

}  // namespace rdmastate
