// SPDX-License-Identifier: Apache-2.0
// Flow: find_all() finds the lines of an entry as the program reads them that owns the file, and counting() says which
// of several counts. with_entry() replaces that one. Where there is none, beside() puts the line back between its
// former neighbours (undo), or with_new_ini(), with_new_shell() or appended() adds it. without_entry() erases all.
#include "resources/entry/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/ini.hpp"
#include "base/lines.hpp"

namespace rdmastate {
namespace {

// The line above a section that rdmastate added for its entry: the section is removed with its last entry.
constexpr std::string_view made_section = "# This section was added by rdmastate.";
constexpr std::string_view made_file = "# This file was made by rdmastate.\n";
constexpr std::string_view blanks = " \t\r";

// Where an entry stands: all lines of it, the last one's newline too, where it has one.
struct Span {
  std::size_t begin;
  std::size_t end;
};

struct Found {
  Span place;
  std::string value;
};

// The lines whose first word is the name.
std::vector<Found> lines_with(std::string_view text, std::string_view name) {
  std::vector<Found> found;
  for_lines(text, [&](std::string_view whole) {
    const std::string_view line = trimmed(whole);
    const std::string_view rest = line.substr(std::min(name.size(), line.size()));
    if (!line.starts_with(name) || (!rest.empty() && blanks.find(rest.front()) == std::string_view::npos)) return;
    const auto begin = static_cast<std::size_t>(whole.data() - text.data());
    found.push_back({{begin, std::min(begin + whole.size() + 1, text.size())}, std::string(trimmed(rest))});
  });
  return found;
}

// The name of an entry; `section` is empty but for the form ini.
struct EntryName {
  std::string_view section;
  std::string_view key;
};

EntryName name_in(EntryForm form, std::string_view name) {
  const std::size_t dot = form == EntryForm::ini ? name.find('.') : std::string_view::npos;
  if (dot == std::string_view::npos) return {{}, name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

// All entries of this name, in the order of the text.
std::vector<Found> find_all(EntryForm form, std::string_view text, std::string_view name) {
  if (form == EntryForm::words) return lines_with(text, name);
  const EntryName wanted = name_in(form, name);
  const ini::File file(form == EntryForm::ini ? ini::nfs_conf : ini::shell, text);
  std::vector<Found> found;
  for (const auto& entry : file.entries())
    if (entry.key == wanted.key && file.section(entry) == wanted.section)
      found.push_back({{entry.begin, entry.end}, entry.value});
  return found;
}

// The entry as it stands in the text, without its last newline.
std::string_view line_at(std::string_view text, const Span& place) {
  const std::string_view line = text.substr(place.begin, place.end - place.begin);
  return line.substr(0, line.size() - (line.ends_with('\n') ? 1 : 0));
}

// The one of several that the file's reader takes.
const Found& counting(EntryForm form, const std::vector<Found>& found) {
  return form == EntryForm::ini ? found.front() : found.back();
}

// A last line without a newline stays without one: what is put behind it begins with the newline instead.
std::string appended(std::string_view text, std::string_view line) {
  if (text.empty() || text.ends_with('\n')) return fmt::format("{}{}\n", text, line);
  return fmt::format("{}\n{}", text, line);
}

std::string inserted(std::string_view text, std::size_t at, std::string_view lines) {
  return fmt::format("{}{}{}", text.substr(0, at), lines, text.substr(at));
}

// Where a new section may begin: at the end of the text. The reader of nfs.conf skips a last line without a newline,
// and has to go on skipping it: then the new section goes before the last section, or before that line where the text
// has no section.
std::size_t place_of_new_section(const ini::File& file, std::string_view text) {
  const bool ends_with_newline = file.unfinished() == text.size();
  if (ends_with_newline) return text.size();
  const auto& sections = file.sections();  // the first one is the text before any header
  return sections.size() > 1 ? sections.back().begin : file.unfinished();
}

// Adds the line behind its section's last line that is not empty, or in a new section.
std::string with_new_ini(std::string_view text, const EntryName& name, std::string_view line) {
  const ini::File file(ini::nfs_conf, text);
  const auto& sections = file.sections();
  const auto found = std::find_if(sections.rbegin(), sections.rend(),
                                  [&](const ini::Section& one) { return one.name == name.section; });
  if (found != sections.rend()) return inserted(text, found->end, fmt::format("{}\n", line));
  return inserted(text, place_of_new_section(file, text),
                  fmt::format("{}\n[{}]\n{}\n", made_section, name.section, line));
}

// Adds the line at the end of the file, or at its beginning where the end would swallow it (a backslash, a quote that
// is never closed).
std::string with_new_shell(std::string_view text, std::string_view name, std::string_view line) {
  std::string made = appended(text, line);
  const auto found = find_all(EntryForm::shell, made, name);
  const bool is_read = !found.empty() && line_at(made, found.back().place) == line;
  return is_read ? made : fmt::format("{}\n{}", line, text);
}

// The text without this part. Where a last line without a newline goes, the line before it becomes such a line.
std::string erased(std::string_view text, const Span& place) {
  std::size_t begin = place.begin;
  const bool unfinished = place.end == text.size() && !text.ends_with('\n');
  if (unfinished && begin > 0) --begin;
  std::string made(text.substr(0, begin));
  return made.append(text.substr(place.end));
}

// The offsets at which a line begins, and the text's end.
std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    starts.push_back(at + 1);
  if (starts.back() != text.size()) starts.push_back(text.size());
  return starts;
}

std::optional<std::string> line_before(std::string_view text, std::size_t at) {
  if (at == 0) return std::nullopt;
  const std::size_t end = text[at - 1] == '\n' ? at - 1 : at;
  const std::size_t newline = text.substr(0, end).rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return std::string(text.substr(begin, end - begin));
}

std::optional<std::string> line_after(std::string_view text, std::size_t at) {
  if (at == text.size()) return std::nullopt;
  return std::string(text.substr(at, text.find('\n', at) - at));
}

// How well an offset fits between two lines: 3 for both neighbours, 2 for the one before, 1 for the one after, 0 for
// none.
int likeness(std::string_view text, std::size_t at, const Neighbours& place) {
  return (line_before(text, at) == place.before ? 2 : 0) + (line_after(text, at) == place.after ? 1 : 0);
}

// The text with the line between its neighbours; empty where neither is there.
std::string beside(std::string_view text, std::string_view line, const Neighbours& place) {
  const auto starts = line_starts(text);
  const auto best = std::max_element(starts.begin(), starts.end(), [&](std::size_t a, std::size_t b) {
    return likeness(text, a, place) < likeness(text, b, place);
  });
  if (likeness(text, *best, place) == 0) return {};
  return *best == text.size() ? appended(text, line) : inserted(text, *best, fmt::format("{}\n", line));
}

// The text without the section that with_new_ini() made, where nothing is in it any more.
std::string without_made_section(std::string_view text, std::string_view name) {
  const std::string made = fmt::format("{}\n[{}]\n", made_section, name);
  const ini::File file(ini::nfs_conf, text);
  for (const auto& section : file.sections()) {
    const std::size_t begin = section.begin - std::min(section.begin, made_section.size() + 1);
    if (section.name == name && text.substr(begin).starts_with(made) && section.end == begin + made.size())
      return erased(text, {begin, section.end});
  }
  return std::string(text);
}

}  // namespace

std::optional<EntryText> entry_in(EntryForm form, std::string_view text, std::string_view name) {
  const auto found = find_all(form, text, name);
  if (found.empty()) return std::nullopt;
  const Found& one = counting(form, found);
  const Span& place = one.place;
  return EntryText{
      one.value, std::string(line_at(text, place)), {line_before(text, place.begin), line_after(text, place.end)}};
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

std::string with_entry(EntryForm form, std::string_view text, std::string_view name, std::string_view line,
                       const std::optional<Neighbours>& place) {
  if (const auto found = find_all(form, text, name); !found.empty()) {
    const Span& old = counting(form, found).place;
    return fmt::format("{}{}{}", text.substr(0, old.begin), line, text.substr(old.begin + line_at(text, old).size()));
  }
  if (place) {
    std::string back = beside(text, line, *place);
    if (const auto seen = entry_in(form, back, name); seen && seen->line == line) return back;
  }
  if (form == EntryForm::ini) return with_new_ini(text, name_in(form, name), line);
  return form == EntryForm::shell ? with_new_shell(text, name, line) : appended(text, line);
}

std::string without_entry(EntryForm form, std::string_view text, std::string_view name) {
  std::string made(text);
  const auto found = find_all(form, text, name);
  for (auto one = found.rbegin(); one != found.rend(); ++one) made = erased(made, one->place);
  return form == EntryForm::ini ? without_made_section(made, name_in(form, name).section) : made;
}

std::string_view made_for_entries() { return made_file; }

bool can_hold(EntryForm form, std::string_view value) {
  std::string_view special = "#";
  if (form == EntryForm::shell) special = "\"\\$`";
  if (form == EntryForm::ini) special = "\"#;\\";
  return std::all_of(value.begin(), value.end(), [&](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != '\x7f' && special.find(c) == std::string_view::npos;
  });
}

}  // namespace rdmastate
