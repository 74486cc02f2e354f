// SPDX-License-Identifier: Apache-2.0
#include "resources/group/account_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace rdmastate {
namespace {

constexpr std::size_t group_fields = 4;  // of group(5) and gshadow(5)

struct Line {
  std::size_t begin;
  std::size_t end;  ///< behind the line's newline, where it has one
  std::string_view text;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t newline = std::min(text.find('\n', at), text.size());
    const std::size_t end = std::min(newline + 1, text.size());
    lines.push_back({at, end, text.substr(at, newline - at)});
    at = end;
  }
  return lines;
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.emplace_back(text);
  return parts;
}

std::string_view name_of(const Line& line) { return line.text.substr(0, line.text.find(':')); }

bool is_account(const Line& line, std::string_view name) {
  const auto colons = std::count(line.text.begin(), line.text.end(), ':');
  return name_of(line) == name && colons + 1 == static_cast<std::ptrdiff_t>(group_fields);
}

// The index of the first line of that name with four fields; the number of lines where there is none.
std::size_t index_of(const std::vector<Line>& lines, std::string_view name) {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const Line& one) { return is_account(one, name); });
  return static_cast<std::size_t>(found - lines.begin());
}

// The offset in the text at which a new line goes: behind the last line of the name `behind` (empty: at the top), else
// before the lines of NIS ("+", "-"), since behind them it is found only after the whole map.
std::size_t place_for(std::string_view text, const std::vector<Line>& lines, const std::optional<std::string>& behind) {
  if (behind && behind->empty()) return 0;
  if (behind)
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
      if (name_of(*line) == *behind) return line->end;
  const auto nis =
      std::find_if(lines.begin(), lines.end(), [](const Line& one) { return one.text.find_first_of("+-") == 0; });
  return nis == lines.end() ? text.size() : nis->begin;
}

// A last line without a newline stays without one: what is put behind it begins with the newline instead.
std::string inserted(std::string_view text, std::size_t at, std::string_view line) {
  const bool unfinished = at > 0 && text[at - 1] != '\n';
  return fmt::format("{}{}{}{}{}", text.substr(0, at), unfinished ? "\n" : "", line, unfinished ? "" : "\n",
                     text.substr(at));
}

}  // namespace

std::optional<AccountLine> account_line(std::string_view text, std::string_view name) {
  const auto lines = lines_of(text);
  const std::size_t at = index_of(lines, name);
  if (at == lines.size()) return std::nullopt;
  const std::string behind(at == 0 ? std::string_view() : name_of(lines[at - 1]));
  return AccountLine{split(lines[at].text, ':'), std::string(lines[at].text), behind};
}

std::string with_account_line(std::string_view text, std::string_view name, std::string_view line,
                              const std::optional<std::string>& behind) {
  const auto lines = lines_of(text);
  const std::size_t at = index_of(lines, name);
  if (at == lines.size()) return inserted(text, place_for(text, lines, behind), line);
  const Line& old = lines[at];
  return fmt::format("{}{}{}", text.substr(0, old.begin), line, text.substr(old.begin + old.text.size()));
}

std::string without_account_line(std::string_view text, std::string_view name) {
  const auto lines = lines_of(text);
  const std::size_t at = index_of(lines, name);
  if (at == lines.size()) return std::string(text);
  const Line& old = lines[at];
  const bool unfinished = old.end == text.size() && !text.ends_with('\n');
  const std::size_t begin = unfinished && old.begin > 0 ? old.begin - 1 : old.begin;
  return fmt::format("{}{}", text.substr(0, begin), text.substr(old.end));
}

std::string without_password(std::string_view line) {
  const std::size_t name = std::min(line.find(':'), line.size());
  const std::size_t number = std::min(line.find(':', name + 1), line.size());
  if (number == line.size()) return {};
  return fmt::format("{}:x{}", line.substr(0, name), line.substr(number));
}

std::vector<std::string> split_names(std::string_view names) {
  auto parts = split(names, ',');
  std::erase(parts, "");
  return parts;
}

std::string join_names(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ",")); }

std::optional<std::uint32_t> id_from(std::string_view text) {
  std::uint32_t id = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return id;
}

std::vector<PasswdUser> passwd_users(std::string_view text) {
  constexpr std::size_t passwd_fields = 7;
  std::vector<PasswdUser> users;
  for (const auto& line : lines_of(text)) {
    const auto fields = split(line.text, ':');
    if (fields.size() != passwd_fields) continue;
    const auto uid = id_from(fields[2]);
    const auto gid = id_from(fields[3]);
    if (uid && gid) users.push_back({fields[0], *uid, *gid});
  }
  return users;
}

std::vector<ListedGroup> listed_groups(std::string_view text) {
  std::vector<ListedGroup> groups;
  for (const auto& line : lines_of(text)) {
    const auto fields = split(line.text, ':');
    if (fields.size() != group_fields) continue;
    if (const auto gid = id_from(fields[2])) groups.push_back({fields[0], *gid, split_names(fields[3])});
  }
  return groups;
}

std::vector<std::uint32_t> group_ids(std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (const auto& group : listed_groups(text)) ids.push_back(group.gid);
  return ids;
}

}  // namespace rdmastate
