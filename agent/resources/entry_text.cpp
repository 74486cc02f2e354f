// SPDX-License-Identifier: Apache-2.0
#include "resources/entry_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/lines.hpp"

namespace rdmastate {
namespace {

// Above a section that rdmastate put there for its entry: it goes with the last one.
constexpr std::string_view made_section = "# This section was added by rdmastate.";
constexpr std::string_view blanks = " \t\r";

struct Line {
  std::size_t begin;
  std::size_t end;        ///< behind the line's newline, where it has one
  std::string_view text;  ///< without it
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

// Up to the closing quote, or to the first blank: what follows is a comment.
std::string_view shell_value(std::string_view text) {
  const bool quoted = text.starts_with('"') || text.starts_with('\'');
  if (!quoted) return text.substr(0, text.find_first_of(blanks));
  return text.substr(1, text.find(text.front(), 1) - 1);
}

// [section] or [section "argument"], as nfs.conf(5) has it: the argument makes it another section.
std::optional<std::string> header_of(std::string_view line) {
  line = trimmed(line);
  if (line.size() < 2 || line.front() != '[' || line.find(']') == std::string_view::npos) return std::nullopt;
  return std::string(trimmed(line.substr(1, line.find(']') - 1)));
}

struct Name {
  std::string_view section;
  std::string_view key;
};

Name name_in(EntryForm form, std::string_view name) {
  const std::size_t dot = form == EntryForm::ini ? name.find('.') : std::string_view::npos;
  if (dot == std::string_view::npos) return {{}, name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

std::optional<std::string_view> value_after(std::string_view line, std::string_view key, EntryForm form) {
  line = trimmed(line);
  if (!line.starts_with(key)) return std::nullopt;
  std::string_view rest = line.substr(key.size());
  if (form == EntryForm::words) {
    if (!rest.empty() && blanks.find(rest.front()) == std::string_view::npos) return std::nullopt;
    return trimmed(rest);
  }
  if (form == EntryForm::ini) rest = trimmed(rest);
  if (!rest.starts_with('=')) return std::nullopt;
  return form == EntryForm::shell ? shell_value(rest.substr(1)) : trimmed(rest.substr(1));
}

struct Found {
  Line line;
  std::string_view value;
};

std::vector<Found> find_all(EntryForm form, std::string_view text, std::string_view name) {
  const Name wanted = name_in(form, name);
  std::vector<Found> found;
  std::string section;
  for (const auto& line : lines_of(text)) {
    if (form == EntryForm::ini)
      if (auto header = header_of(line.text)) {
        section = std::move(*header);
        continue;
      }
    if (section != wanted.section) continue;
    if (const auto value = value_after(line.text, wanted.key, form)) found.push_back({line, *value});
  }
  return found;
}

// The one of several that the file's reader takes.
const Found& counting(EntryForm form, const std::vector<Found>& found) {
  return form == EntryForm::ini ? found.front() : found.back();
}

// Where a new entry of the section goes: behind its last line that is not empty; nullopt when there is no such section.
std::optional<std::size_t> end_of_section(std::string_view text, std::string_view section) {
  std::optional<std::size_t> end;
  bool inside = false;
  for (const auto& line : lines_of(text)) {
    if (const auto header = header_of(line.text)) inside = *header == section;
    if (inside && !trimmed(line.text).empty()) end = line.end;
  }
  return end;
}

// A last line without a newline stays without one: what is put behind it begins with the newline instead.
std::string inserted(std::string_view text, std::size_t at, const std::string& lines) {
  std::string made(text.substr(0, at));
  if (at > 0 && text[at - 1] != '\n') {
    made += "\n" + lines.substr(0, lines.size() - 1);
  } else {
    made += lines;
  }
  return made.append(text.substr(at));
}

std::string erased(std::string_view text, const Line& line) {
  std::size_t begin = line.begin;
  const bool unfinished = line.end == text.size() && !text.ends_with('\n');
  if (unfinished && begin > 0) --begin;
  std::string made(text.substr(0, begin));
  return made.append(text.substr(line.end));
}

}  // namespace

std::optional<EntryText> entry_in(EntryForm form, std::string_view text, std::string_view name) {
  const auto found = find_all(form, text, name);
  if (found.empty()) return std::nullopt;
  const Found& one = counting(form, found);
  return EntryText{std::string(one.value), std::string(one.line.text)};
}

std::string entry_line(EntryForm form, std::string_view name, std::string_view value) {
  switch (form) {
    case EntryForm::shell:
      return fmt::format("{}=\"{}\"", name, value);
    case EntryForm::ini:
      return fmt::format("{} = {}", name_in(form, name).key, value);
    case EntryForm::words:
      return fmt::format("{} {}", name, value);
  }
  return {};
}

std::string with_entry(EntryForm form, std::string_view text, std::string_view name, std::string_view line) {
  if (const auto found = find_all(form, text, name); !found.empty()) {
    const Line& old = counting(form, found).line;
    return fmt::format("{}{}{}", text.substr(0, old.begin), line, text.substr(old.begin + old.text.size()));
  }
  const std::string_view section = name_in(form, name).section;
  if (section.empty()) return inserted(text, text.size(), fmt::format("{}\n", line));
  const auto end = end_of_section(text, section);
  return end ? inserted(text, *end, fmt::format("{}\n", line))
             : inserted(text, text.size(), fmt::format("{}\n[{}]\n{}\n", made_section, section, line));
}

std::string without_entry(EntryForm form, std::string_view text, std::string_view name) {
  std::string made(text);
  for (auto found = find_all(form, made, name); !found.empty(); found = find_all(form, made, name))
    made = erased(made, found.back().line);
  const auto lines = lines_of(made);
  if (form != EntryForm::ini || lines.size() < 2 || lines[lines.size() - 2].text != made_section) return made;
  const bool is_bare = header_of(lines.back().text) == std::string(name_in(form, name).section);
  return is_bare ? erased(made, {lines[lines.size() - 2].begin, lines.back().end, {}}) : made;
}

bool can_hold(EntryForm form, std::string_view value) {
  const std::string_view special = form == EntryForm::shell ? "\"\\$`" : form == EntryForm::ini ? "\"#;\\" : "#";
  return std::all_of(value.begin(), value.end(), [&](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f' && special.find(c) == std::string_view::npos;
  });
}

}  // namespace rdmastate
