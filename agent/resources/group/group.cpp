// SPDX-License-Identifier: Apache-2.0
// A move sets or removes one line of /etc/group and one of /etc/gshadow, under the lock that other programs take too.
#include "resources/group/group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/textdiff.hpp"
#include "host/attributes.hpp"
#include "resources/file/file.hpp"
#include "resources/group/account_text.hpp"
#include "resources/group/gap.hpp"
#include "resources/said.hpp"

namespace rdmastate {
namespace {

Observation group_observe(const Snapshot& snapshot, const std::string& key) {
  const auto seen = observe_file(snapshot, group_path);
  if (const auto* unseen = std::get_if<Unseen>(&seen)) return *unseen;
  const auto line = account_line(text_of(seen), key);
  if (!line) return Absent{};
  GroupState state;
  state.gid = id_from(line->fields[2]);
  state.members = split_names(line->fields[3]);
  state.line = line->text;
  state.behind = line->behind;
  if (const auto shadow = account_line(text_of(observe_file(snapshot, gshadow_path)), key)) {
    state.shadow = shadow->fields[3];
    state.shadow_behind = shadow->behind;
  }
  return State(group_kind, std::move(state));
}

// The line is "name:password:gid:members": it is shown without the password.
State group_shown(const State& state) {
  return state.changed<GroupState>([](GroupState& group) {
    if (group.line) group.line = without_password(*group.line);
  });
}

std::vector<Ref> group_needs(const std::string&, const State*) { return {}; }

// Replaces the file by what change() makes of its text, where that differs. Other attributes stay.
template <class Change>
void edit(Files& files, const std::string& path, Change&& change) {
  auto file = files.load(path);
  if (!file) return;
  if (file->meta.type != FileType::regular) throw Error(fmt::format("{} is no regular file", path));
  std::string text = change(file->bytes);
  if (text == file->bytes) return;
  files.replace(path, with_bytes(std::move(*file), std::move(text)));
}

// Throws Error where another program has changed the line between the plan and this lock.
void expect_unchanged(std::string_view text, const std::string& key, const State* from, const State* to) {
  const auto line = account_line(text, key);
  const std::string now = line ? line->text : std::string();
  if (now != (from != nullptr ? from->as<GroupState>().line.value_or("") : ""))
    throw Error("another program changed it since it was looked at: plan again");
  if (to == nullptr || line) return;
  const std::uint32_t gid = said(to->as<GroupState>().gid, "gid");
  const auto ids = group_ids(text);
  if (std::find(ids.begin(), ids.end(), gid) != ids.end())
    throw Error(fmt::format("another group got the gid {} since it was looked at: plan again", gid));
}

// The group's line of gshadow with other members. The password and administrators that it has stay.
std::string shadow_line(std::string_view text, const std::string& key, const std::string& members) {
  const auto present = account_line(text, key);
  if (!present) return fmt::format("{}:{}::{}", key, no_password, members);
  return fmt::format("{}:{}:{}:{}", key, present->fields[1], present->fields[2], members);
}

// The line of /etc/group is the first to come and the last to go: an apply that dies in between leaves a group that the
// next plan sees. So that a power cut keeps that order, the directories are synced before the second file is replaced.
void write(Files& files, const std::string& key, const GroupState& to) {
  edit(files, group_path,
       [&](const std::string& text) { return with_account_line(text, key, said(to.line, "line"), to.behind); });
  if (!to.shadow) return;
  files.sync_directories();
  edit(files, gshadow_path, [&](const std::string& text) {
    return with_account_line(text, key, shadow_line(text, key, *to.shadow), to.shadow_behind);
  });
}

void remove(Files& files, const std::string& key) {
  const auto without = [&](const std::string& text) { return without_account_line(text, key); };
  edit(files, gshadow_path, without);
  files.sync_directories();
  edit(files, group_path, without);
}

void group_move(Tools& tools, const std::string& key, const State* from, const State* to) {
  Files& files = tools.host.files;
  const auto work = [&] {
    const auto file = files.load(group_path);
    expect_unchanged(file ? file->bytes : "", key, from, to);
    if (to != nullptr) {
      write(files, key, to->as<GroupState>());
    } else {
      remove(files, key);
    }
  };
  if (tools.host.accounts == nullptr) return work();
  tools.host.accounts->locked(work);
}

// The place of the line does not count: other programs may have changed the lines around it since.
bool group_is_back(const State& now, const State& from) {
  const auto& a = now.as<GroupState>();
  const auto& b = from.as<GroupState>();
  return a.line == b.line && a.shadow == b.shadow;
}

std::string line_of(const State* state) {
  return state == nullptr ? std::string() : state->as<GroupState>().line.value_or("") + "\n";
}

std::string group_lines(const State* from, const State* to) { return unified_diff(line_of(from), line_of(to)); }

std::string group_title(const std::string& key, const State*) { return key; }

}  // namespace

constinit const Kind group_kind = [] {
  Kind kind = kind_of<GroupState>("group");
  kind.durable = true;
  kind.verbs = {"make", "change", "remove"};
  kind.rank = 9;  // before files (10): udev rules and limits name groups
  kind.observe = group_observe;
  kind.gap = group_gap;
  kind.needs = group_needs;
  kind.lives_in = [](const std::string&) { return std::string(group_path); };
  kind.move = group_move;
  kind.is_back = group_is_back;
  kind.lines = group_lines;
  kind.shown = group_shown;
  kind.title = group_title;
  kind.places = places_of_groups;
  kind.keep = keep_directory;
  return kind;
}();

std::string text_of(const FileState& file) {
  return file.type == FileType::regular && file.content ? file.content->value : std::string();
}

std::string text_of(const FileObservation& seen) {
  const auto* file = std::get_if<FileState>(&seen);
  return file != nullptr ? text_of(*file) : std::string();
}

std::vector<std::string> marked_members(std::string_view text) {
  const std::size_t mark = text.find(members_mark);
  if (mark == std::string_view::npos) return {};
  std::string_view names = text.substr(mark + members_mark.size());
  names = names.substr(0, names.find('\n'));
  if (names.starts_with(' ')) names.remove_prefix(1);
  return split_names(names);
}

}  // namespace rdmastate
