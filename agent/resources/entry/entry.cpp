// SPDX-License-Identifier: Apache-2.0
// The functions of the Kind `entry`: entry_observe() and entry_gap() compare values, written() makes the line of a
// step, entry_move() sets it in the file's text (text.hpp). Undo puts the entry back between the lines where it stood.
#include "resources/entry/entry.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/textdiff.hpp"
#include "host/attributes.hpp"
#include "platform/entry_files.hpp"
#include "resources/entry/text.hpp"
#include "resources/said.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

std::string path_of(const std::string& key) { return key.substr(0, key.find(' ')); }
std::string name_of(const std::string& key) { return key.substr(key.find(' ') + 1); }

EntryForm form_of(const std::string& key) {
  const EntryFile* file = entry_file(path_of(key));
  if (file == nullptr || key.find(' ') == std::string::npos)
    throw Error(fmt::format("rdmastate keeps no entry {}", key));
  return file->form;
}

// What EntryState::file is for an entry in this file: its owner, mode and attributes where rdmastate made the file, as
// its first line (made_for_entries()) says.
std::optional<FileState> file_that_goes_with(const FileState& file) {
  if (!file.content->value.starts_with(made_for_entries())) return std::nullopt;
  FileState without_text = file;
  without_text.content.reset();
  return without_text;
}

// The file that is made for this entry, without the entry. In undo it gets the owner, mode and attributes that it had.
FileContent new_file(const State& entry) {
  FileContent file = content_from(entry.as<EntryState>().file.value_or(regular_file("")));
  file.bytes = made_for_entries();
  return file;
}

Observation entry_observe(const Snapshot& snapshot, const std::string& key) {
  const EntryForm form = form_of(key);
  const auto seen = observe_file(snapshot, path_of(key));
  if (const auto* unseen = std::get_if<Unseen>(&seen)) return *unseen;
  const auto* file = std::get_if<FileState>(&seen);
  if (file == nullptr || !file->content || file->type != FileType::regular) return Absent{};
  auto entry = entry_in(form, file->content->value, name_of(key));
  if (!entry) return Absent{};
  return State(entry_kind, EntryState{std::move(entry->value), std::move(entry->line), std::move(entry->place.before),
                                      std::move(entry->place.after), file_that_goes_with(*file)});
}

// Why the entry cannot be changed: the path is no regular file, such as a symlink of another program, through which
// rdmastate does not write. Empty: it can.
std::string why_not(const Snapshot& snapshot, const std::string& path) {
  const auto seen = observe_file(snapshot, path);
  const auto* file = std::get_if<FileState>(&seen);
  if (file == nullptr || file->type == FileType::regular) return {};
  return fmt::format("{} is a {} where rdmastate changes one entry of a regular file: put the file itself there", path,
                     noun(file->type));
}

std::string value_of(const State& state) { return state.as<EntryState>().value; }

// The lines around the entry belong to other programs and may hold secrets.
State entry_shown(const State& state) {
  return state.changed<EntryState>([](EntryState& entry) {
    for (auto* line : {&entry.line, &entry.before, &entry.after})
      if (*line) *line = without_secrets(**line);
  });
}

// The state after a step: the entry as rdmastate writes it. The step finds the place for it.
State written(const std::string& key, const State& wanted) {
  EntryState entry;
  entry.value = value_of(wanted);
  entry.line = entry_line(form_of(key), name_of(key), entry.value);
  return State(entry_kind, std::move(entry));
}

Gap entry_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  Gap found;
  const State* present = state_of(observed);
  if (wanted == nullptr && present == nullptr) return found;
  if (wanted != nullptr && present != nullptr && value_of(*wanted) == value_of(*present)) return found;
  found.blocked = why_not(scene.snapshot, path_of(key));
  if (!found.blocked.empty()) return found;
  found.move = Gap::Move{};
  if (present != nullptr) found.move->from = *present;
  if (wanted != nullptr) found.move->to = written(key, *wanted);
  return found;
}

std::vector<Ref> entry_needs(const std::string& key, const State* state) {
  return needs_directory(path_of(key), state);
}

// The text with the entry as `to` says, in undo at the place where it stood. Throws Error where
// `to` has no line: the run's record is damaged (said.hpp).
std::string with_state(const std::string& key, const std::string& text, const EntryState& to) {
  const Neighbours place{to.before, to.after};
  const bool stood_there = to.before || to.after;
  return with_entry(form_of(key), text, name_of(key), said(to.line, "line"),
                    stood_there ? std::optional(place) : std::nullopt);
}

// Several entries of one file are several steps, so nothing is staged: each is written, synced and renamed by itself. A
// file that rdmastate made for its entries goes with the last of them.
void entry_move(Tools& tools, const std::string& key, const State*, const State* to) {
  const std::string path = path_of(key);
  auto file = tools.host.files.load(path);
  if (!file && to == nullptr) throw SystemError("removing an entry of " + path, ENOENT);
  if (!file) file = new_file(*to);
  if (file->meta.type != FileType::regular) throw Error(fmt::format("{} is no regular file", path));
  std::string text = to != nullptr ? with_state(key, file->bytes, to->as<EntryState>())
                                   : without_entry(form_of(key), file->bytes, name_of(key));
  if (to == nullptr && text == made_for_entries()) return tools.host.files.remove(path);
  if (text != file->bytes) tools.host.files.replace(path, with_bytes(std::move(*file), std::move(text)));
}

// The lines around the entry do not count: other programs may have changed them since.
bool entry_is_back(const State& now, const State& from) {
  return now.as<EntryState>().value == from.as<EntryState>().value &&
         now.as<EntryState>().line == from.as<EntryState>().line;
}

std::string line_of(const State* state) {
  return state == nullptr ? std::string() : state->as<EntryState>().line.value_or("") + "\n";
}

std::string entry_lines(const State* from, const State* to) { return unified_diff(line_of(from), line_of(to)); }

std::string entry_title(const std::string& key, const State*) {
  return fmt::format("{} in {}", name_of(key), path_of(key));
}

FilePlaces entry_places() {
  FilePlaces all;
  for (const auto& file : entry_files()) all.push_back({std::string(file.path)});
  return all;
}

}  // namespace

constinit const Kind entry_kind = [] {
  Kind kind = kind_of<EntryState>("entry");
  kind.durable = true;
  kind.verbs = {"add", "change", "remove"};
  kind.rank = 11;  // after files and directories (10)
  kind.observe = entry_observe;
  kind.gap = entry_gap;
  kind.needs = entry_needs;
  kind.lives_in = path_of;
  kind.move = entry_move;
  kind.is_back = entry_is_back;
  kind.lines = entry_lines;
  kind.shown = entry_shown;
  kind.title = entry_title;
  kind.places = entry_places;
  return kind;
}();

std::string entry_key(std::string_view path, std::string_view name) { return fmt::format("{} {}", path, name); }

State entry_of(std::string_view path, std::string_view name, std::string value) {
  if (!can_hold(form_of(entry_key(path, name)), value))
    throw Error(fmt::format("{} in {} cannot hold {}", name, path, value), ExitCode::bad_spec);
  EntryState entry;
  entry.value = std::move(value);
  return State(entry_kind, std::move(entry));
}

}  // namespace rdmastate
