// SPDX-License-Identifier: Apache-2.0
#include "base/secret_names.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.hpp"

namespace rdmastate {
namespace {

// Names of secrets, with "-" for "_": `in_names` may be a part of the name, `whole_names` are all of it. key1 to key4
// and wireless-key-1 are of ifcfg files, m-key of OpenSM's.
constexpr std::array<std::string_view, 11> in_names{"password",     "passwd",        "passphrase",  "secret",
                                                    "psk",          "wep-key",       "private-key", "privatekey",
                                                    "presharedkey", "preshared-key", "wireless-key"};
constexpr std::array<std::string_view, 14> whole_names{"pin",     "key",    "private", "shared", "token",
                                                       "mka-cak", "key1",   "key2",    "key3",   "key4",
                                                       "m-key",   "sm-key", "sa-key",  "cc-key"};

char in_one_spelling(char c) { return c == '_' ? '-' : ascii::lower(c); }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_word(char c) { return ascii::is_one_of(c, "-_"); }

bool is_secret(std::string_view word) {
  std::string name(word);
  std::transform(name.begin(), name.end(), name.begin(), in_one_spelling);
  if (name.ends_with("-flags")) return false;  // psk-flags says where NetworkManager keeps the secret
  if (std::find(whole_names.begin(), whole_names.end(), name) != whole_names.end()) return true;
  return std::any_of(in_names.begin(), in_names.end(),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

std::size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

// Where the whole name ends of which a part ends at `end`: a spec has "vpn-secrets.any" for a key of [vpn-secrets].
std::size_t end_of_name(std::string_view line, std::size_t end) {
  while (end + 1 < line.size() && line[end] == '.' && is_word(line[end + 1]))
    for (++end; end < line.size() && is_word(line[end]);) ++end;
  return end;
}

// Where the value begins of the name of which a part ends at `part_end`; npos: it has none. In interfaces(5) only
// blanks stand between name and value.
std::size_t value_at(std::string_view line, std::size_t begin, std::size_t part_end) {
  const std::size_t end = end_of_name(line, part_end);
  std::size_t at = end;
  if (at < line.size() && is_quote(line[at])) ++at;
  while (at < line.size() && is_blank(line[at])) ++at;
  if (at >= line.size()) return std::string_view::npos;
  const bool is_continued = line.substr(at) == "\\";  // the value stands on the next line
  if (line[at] == '=' || line[at] == ':' || is_continued) return at + 1;
  const bool is_first_word = begin == indentation(line) && end == part_end;
  return is_first_word && at > end ? at : std::string_view::npos;
}

}  // namespace

std::size_t secret_at(std::string_view line, std::size_t from) {
  for (std::size_t at = from; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_word(line[end])) ++end;
    const std::size_t value = end > at && is_secret(line.substr(at, end - at)) ? value_at(line, at, end) : line.npos;
    if (value != line.npos) return value;
    at = std::max(end, at + 1);
  }
  return line.npos;
}

}  // namespace rdmastate
