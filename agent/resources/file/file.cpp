// SPDX-License-Identifier: Apache-2.0
// First the functions of the Kind `file`, of which file_gap() and file_move() are the main ones; then the functions of
// file.hpp that other kinds use.
#include "resources/file/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "host/attributes.hpp"
#include "platform/layout.hpp"
#include "resources/registry.hpp"

namespace rdmastate {
namespace {

FileState state_from(const FileContent& file) {
  FileState state;
  state.type = file.meta.type;
  state.mode = FileMode{file.meta.mode};
  state.uid = file.meta.uid;
  state.gid = file.meta.gid;
  if (file.meta.type == FileType::regular || file.meta.type == FileType::symlink) state.content = Bytes{file.bytes};
  for (const auto& [name, value] : file.xattrs) state.xattrs.emplace(name, Bytes{value});
  return state;
}

Observation file_observe(const Snapshot& snapshot, const std::string& key) {
  FileObservation seen = observe_file(snapshot, key);
  if (auto* file = std::get_if<FileState>(&seen)) return State(file_kind, std::move(*file));
  if (auto* unseen = std::get_if<Unseen>(&seen)) return std::move(*unseen);
  return Absent{};
}

// The extended attributes that stay true when the file gets other bytes and another mode.
std::map<std::string, Bytes> kept_xattrs(const FileState& present, const FileState& to) {
  std::map<std::string, Bytes> kept = present.xattrs;
  if (to.content != present.content) std::erase_if(kept, [](const auto& one) { return is_about_bytes(one.first); });
  const auto acl = kept.find(std::string(access_acl));
  if (acl != kept.end() && to.mode) acl->second.value = acl_after_chmod(acl->second.value, to.mode->value);
  return kept;
}

// Whether a step of the plan removes the file: its kind may keep it until the next boot.
bool will_be_gone(const Scene& scene, const std::string& path) {
  for (const Kind* kind : all_kinds()) {
    const auto* wanted = kind->durable ? scene.plan.wanted(*kind, path) : nullptr;
    if (wanted == nullptr || *wanted) continue;
    const Gap gap = kind->gap(scene, path, /*wanted=*/nullptr, kind->observe(scene.snapshot, path));
    return gap.move && !gap.move->to;
  }
  return false;
}

// A directory that is to go stays while something foreign, or something that stays for now, is in it.
bool would_be_empty(const Scene& scene, const std::string& directory) {
  for (const auto& name : scene.snapshot.list(directory))
    if (!will_be_gone(scene, directory + "/" + name)) return false;
  return true;
}

Gap removal(const Scene& scene, const std::string& key, const State& present) {
  Gap gap;
  gap.blocked = special_clash(key, present.as<FileState>());
  if (!gap.blocked.empty()) return gap;
  if (present.as<FileState>().type == FileType::directory && !would_be_empty(scene, key)) return gap;
  gap.move = Gap::Move{present, std::nullopt};
  return gap;
}

// A symlink to a directory is as good as a directory.
bool leads_to_directory(const Snapshot& snapshot, const std::string& key) {
  const FileObservation seen = observe_file(snapshot, key + "/");  // with the slash lstat(2) follows the symlink
  const auto* file = std::get_if<FileState>(&seen);
  return file != nullptr && file->type == FileType::directory;
}

Gap file_gap(const Scene& scene, const std::string& key, const State* wanted, const Observation& observed) {
  const State* present = state_of(observed);
  if (wanted == nullptr) return present != nullptr ? removal(scene, key, *present) : Gap{};
  Gap gap;
  const auto& asked = wanted->as<FileState>();
  if (present == nullptr) {
    gap.move = Gap::Move{std::nullopt, *wanted};
    return gap;
  }
  const auto& from = present->as<FileState>();
  const bool asks_directory = asked.type == FileType::directory;
  if (asks_directory && from.type == FileType::symlink && leads_to_directory(scene.snapshot, key)) return gap;
  gap.blocked = type_clash(key, from, asked);
  gap.is_in_the_way = !gap.blocked.empty();
  if (gap.is_in_the_way || (asks_directory && from.type == asked.type)) return gap;
  if (is_as_wanted(from, asked)) return gap;
  gap.move = Gap::Move{*present, State(file_kind, laid_over_file(from, asked))};
  return gap;
}

void file_stage(Tools& tools, const std::string& key, const State* to) {
  if (to != nullptr && to->as<FileState>().type != FileType::directory) stage_file(tools, key, to->as<FileState>());
}

// Whether udevd keeps the file in memory: its rules and .link files.
bool is_read_by_udevd(const std::string& path) {
  return parent_path(path) == parent_path(std::string(common_layout().udev_rules)) ||
         (path.ends_with(".link") && parent_path(path) == common_layout().networkd_files);
}

void file_move(Tools& tools, const std::string& key, const State*, const State* to) {
  if (to == nullptr) {
    tools.host.files.remove(key);
  } else {
    write_file(tools, key, to->as<FileState>());
  }
  if (tools.host.udev != nullptr && is_read_by_udevd(key)) tools.host.udev->reload_rules();
}

std::string file_title(const std::string& key, const State* state) {
  const bool is_directory = state != nullptr && state->as<FileState>().type == FileType::directory;
  return is_directory && !key.ends_with('/') ? key + "/" : key;
}

}  // namespace

constinit const Kind file_kind = [] {
  Kind kind = kind_of<FileState>("file");
  kind.durable = true;
  kind.verbs = {"write", "rewrite", "remove"};
  kind.rank = 10;  // after groups (9), before entries (11) and all that reads files
  kind.observe = file_observe;
  kind.gap = file_gap;
  kind.needs = needs_directory;
  kind.stage = file_stage;
  kind.move = file_move;
  kind.lines = file_lines;
  kind.title = file_title;
  return kind;
}();

FileContent content_from(const FileState& state) {
  FileContent file;
  file.meta = {state.type, state.mode.value_or(FileMode{}).value, state.uid.value_or(0), state.gid.value_or(0)};
  if (state.content) file.bytes = state.content->value;
  for (const auto& [name, value] : state.xattrs) file.xattrs.emplace(name, value.value);
  return file;
}

FileObservation observe_file(const Snapshot& snapshot, const std::string& path) {
  try {
    const auto& file = snapshot.file(path);
    if (!file) return Absent{};
    return state_from(*file);
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;
    return Unseen{fmt::format("{} may not be read here: {}", path, snapshot.who_sees())};
  }
}

// A symlink's mode means nothing, so it is never changed. Where the type changes, nothing of `present` is kept.
FileState laid_over_file(const FileState& present, const FileState& wanted) {
  FileState to = wanted;
  if (to.type != present.type) return to;
  if (!to.mode || to.type == FileType::symlink) to.mode = present.mode;
  if (!to.uid) to.uid = present.uid;
  if (!to.gid) to.gid = present.gid;
  if (!to.content) to.content = present.content;
  for (const auto& [name, value] : kept_xattrs(present, to)) to.xattrs.emplace(name, value);
  return to;
}

// Whether laid_over_file() would change nothing, without its copies of whole files.
bool is_as_wanted(const FileState& present, const FileState& wanted) {
  const auto fits = [](const auto& asked, const auto& there) { return !asked || asked == there; };
  if (wanted.type != present.type || !fits(wanted.uid, present.uid) || !fits(wanted.gid, present.gid)) return false;
  if (wanted.type != FileType::symlink && !fits(wanted.mode, present.mode)) return false;
  return fits(wanted.content, present.content) &&
         std::all_of(wanted.xattrs.begin(), wanted.xattrs.end(), [&](const auto& one) {
           const auto there = present.xattrs.find(one.first);
           return there != present.xattrs.end() && there->second == one.second;
         });
}

std::string type_clash(const std::string& key, const FileState& present, const FileState& wanted) {
  if ((present.type == FileType::directory) == (wanted.type == FileType::directory) && present.type != FileType::other)
    return {};
  return fmt::format("{} is a {} where rdmastate needs a {}: move it away", key, noun(present.type), noun(wanted.type));
}

std::string special_clash(const std::string& path, const FileState& present) {
  if (present.type != FileType::other) return {};
  return fmt::format("{} is a {}, which rdmastate never makes: move it away", path, noun(present.type));
}

std::string_view noun(FileType type) {
  if (type == FileType::regular) return "file";
  if (type == FileType::directory) return "directory";
  return type == FileType::symlink ? "symlink" : "special file (a FIFO, socket or device)";
}

// Nothing can be staged in a directory that another step of the round has yet to make.
void stage_file(Tools& tools, const std::string& path, const FileState& file) {
  if (tools.host.files.meta(parent_path(path))) tools.host.files.stage(path, content_from(file));
}

void stage_unless_as_wanted(Tools& tools, const std::string& path, const State* to) {
  if (to == nullptr) return;
  const Snapshot now(tools.host);
  const FileObservation seen = observe_file(now, path);
  const auto* present = std::get_if<FileState>(&seen);
  if (present == nullptr || !is_as_wanted(*present, file_of(*to))) stage_file(tools, path, file_of(*to));
}

void write_file(Tools& tools, const std::string& path, const FileState& file) {
  tools.host.files.replace(path, content_from(file));
}

std::vector<Ref> needs_directory(const std::string& path, const State*) {
  return {{file_kind.name, parent_path(path)}};
}

FileState regular_file(std::string content, std::uint32_t mode) {
  FileState state;
  state.mode = FileMode{mode};
  state.uid = 0;
  state.gid = 0;
  state.content = Bytes{std::move(content)};
  return state;
}

FileState symlink_to(std::string target) {
  FileState state;
  state.type = FileType::symlink;
  state.content = Bytes{std::move(target)};
  return state;
}

FileState directory(std::uint32_t mode) {
  FileState state;
  state.type = FileType::directory;
  state.mode = FileMode{mode};
  return state;
}

const FileState& file_of(const State& state) { return state.as<FileState>(); }

bool is_going(const Scene& scene, const std::string& path) {
  return std::any_of(all_kinds().begin(), all_kinds().end(), [&](const Kind* kind) {
    const auto* wanted = kind->durable ? scene.plan.wanted(*kind, path) : nullptr;
    return wanted != nullptr && !*wanted;
  });
}

std::vector<std::string> changing_files(const Scene& scene, const std::function<bool(const std::string&)>& is_meant) {
  const auto text_of = [](const std::optional<State>& wanted) {
    const FileState* file = wanted ? &file_of(*wanted) : nullptr;
    return file != nullptr && file->content ? std::optional(file->content->value) : std::nullopt;
  };
  std::vector<std::string> paths;
  for (const auto& [path, wanted] : scene.plan.wanted(file_kind))
    if (is_meant(path) && text_of(wanted) != scene.snapshot.read(path)) paths.push_back(path);
  return paths;
}

std::optional<Step> step_to_text(const Snapshot& snapshot, const std::string& path, const std::string& text,
                                 std::uint32_t mode) {
  Step step{&file_kind, path, /*from=*/std::nullopt, /*to=*/std::nullopt};
  const Observation observed = file_observe(snapshot, path);
  if (const auto* unseen = std::get_if<Unseen>(&observed)) throw Error(unseen->reason);
  const State* present = state_of(observed);
  // A device or directory there stays: no rollback could make it again.
  if (present != nullptr && !type_clash(path, file_of(*present), regular_file("")).empty()) return std::nullopt;
  if (present != nullptr) step.from = *present;
  if (!text.empty()) {
    const FileState file = regular_file(text, mode);
    step.to = State(file_kind, present != nullptr ? laid_over_file(file_of(*present), file) : file);
  }
  const bool same = step.from && step.to && step.from->as<FileState>() == step.to->as<FileState>();
  return same || (!step.from && !step.to) ? std::nullopt : std::optional(std::move(step));
}

std::string file_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

std::string parent_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

}  // namespace rdmastate
