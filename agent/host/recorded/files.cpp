// SPDX-License-Identifier: Apache-2.0
// First resolve() and look(), by which every call finds its path in the model; then the calls that read, the private
// helpers of those that write, and these.
#include "host/recorded/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <deque>

#include "host/place.hpp"
#include "host/recorded/initrds.hpp"
#include "host/temporary.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t link_mode = 0777;
constexpr const char* selinux_label = "security.selinux";  // RootFiles (sys) keeps it where a file is replaced
constexpr int most_links = 40;                             // MAXSYMLINKS, include/linux/namei.h

bool is_directory(const FileContent& file) { return file.meta.type == FileType::directory; }

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string join(const std::string& directory_path, std::string_view name) {
  return directory_path == "/" ? "/" + std::string(name) : directory_path + "/" + std::string(name);
}

// Puts the names of a path (or of a link's target) before those that are still to be resolved.
void put_names_before(std::deque<std::string>& names, std::string_view path) {
  std::deque<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    if (end > at) parts.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  names.insert(names.begin(), parts.begin(), parts.end());
}

// What a file system keeps of the content that it is given: a link has no mode of its own, a directory no bytes.
FileContent as_kept(FileContent content) {
  if (content.meta.type == FileType::symlink) content.meta.mode = link_mode;
  if (is_directory(content)) content.bytes.clear();
  return content;
}

// A device node is the kernel's to make: it only gets another owner and mode.
void set_node(std::map<std::string, FileContent>& files, const std::string& at, const FileContent& content) {
  const auto present = files.find(at);
  if (present == files.end()) throw Refusal{ENOENT};
  if (present->second.meta.type != FileType::other) throw Refusal{EINVAL};
  present->second.meta = content.meta;
}

bool is_absence(int failure) { return failure == ENOENT || failure == ENOTDIR; }

}  // namespace

RecordedFiles::RecordedFiles(HostModel& model, CallLog& log)
    : model_(model), files_(model.files), log_(log), written_(initrds::times_of(model)) {}

// As openat2(2) with RESOLVE_IN_ROOT: absolute links and ".." end inside. Takes one name after the other; the names of
// a link's target take the link's place.
RecordedFiles::Found RecordedFiles::resolve(const std::string& path, Last last) const {
  if (path.empty() || path.front() != '/') return {EINVAL, path, nullptr};
  std::deque<std::string> names;
  put_names_before(names, path);
  Found at{0, "/", &files_.at("/")};
  for (int links = 0; !names.empty();) {
    if (!is_directory(*at.file)) return {ENOTDIR, at.path, nullptr};
    const std::string name = names.front();
    names.pop_front();
    if (name == ".") continue;
    const std::string next = name == ".." ? parent_of(at.path) : join(at.path, name);
    const auto found = files_.find(next);
    if (found == files_.end()) return {ENOENT, names.empty() ? next : "", nullptr};
    const bool follow = !names.empty() || last == Last::follow || path.back() == '/';
    if (found->second.meta.type != FileType::symlink || !follow) {
      at = {0, next, &found->second};
      continue;
    }
    if (++links > most_links) return {ELOOP, next, nullptr};
    put_names_before(names, found->second.bytes);
    if (found->second.bytes.starts_with('/')) at = {0, "/", &files_.at("/")};
  }
  return at;
}

bool RecordedFiles::is_unseen(const std::string& path) const {
  if (model_.unseen.empty()) return false;
  for (std::string_view at = path; at.size() > 1; at = at.substr(0, at.rfind('/')))
    if (model_.unseen.contains(std::string(at))) return true;
  return false;
}

// The record can tell that the path itself is absent, or that a directory above it is. Whoever made the record looked
// for the target of each link that it holds, so a target that is not here is absent; /dev/null, by which systemd masks
// a unit, never is here.
bool RecordedFiles::tells_of(const std::string& path) const {
  if (!model_.holds) return true;
  if (const auto link = files_.find(path); link != files_.end() && link->second.meta.type == FileType::symlink)
    return is_held(*model_.holds, path);
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string at = path.substr(0, end);
    if (!files_.contains(at) && is_held(*model_.holds, at)) return true;
    if (end == std::string::npos) return false;
  }
}

RecordedFiles::Found RecordedFiles::look(const std::string& path, Last last) {
  ++log_.reads.files;
  Found found = resolve(path, last);
  if (found.failure != 0 && !is_absence(found.failure)) throw SystemError("opening " + path, found.failure);
  if (is_unseen(path) || (found.failure != 0 && !tells_of(path))) throw SystemError("opening " + path, EACCES);
  return found;
}

std::optional<FileMeta> RecordedFiles::meta(const std::string& path) {
  const Found found = look(path, Last::keep);
  if (found.file == nullptr) return std::nullopt;
  return found.file->meta;
}

std::optional<std::string> RecordedFiles::read(const std::string& path, std::size_t limit) {
  const Found found = look(path, Last::follow);
  if (found.file == nullptr || is_directory(*found.file)) return std::nullopt;
  if (found.file->meta.type == FileType::other) throw SystemError("reading " + path, EINVAL);
  if (found.file->bytes.size() > limit) throw SystemError("reading " + path, EFBIG);
  return found.file->bytes;
}

std::optional<FileContent> RecordedFiles::load(const std::string& path) {
  const Found found = look(path, Last::keep);
  if (found.file == nullptr) return std::nullopt;
  return *found.file;
}

std::optional<FileStamp> RecordedFiles::stamp(const std::string& path) {
  const Found found = look(path, Last::follow);
  if (found.file == nullptr) return std::nullopt;
  const auto written = written_.find(found.path);
  return FileStamp{written == written_.end() ? 0 : written->second, found.file->bytes.size()};
}

std::vector<std::string> RecordedFiles::list(const std::string& directory_path) {
  const Found found = look(directory_path, Last::follow);
  std::vector<std::string> names;
  if (found.file == nullptr || !is_directory(*found.file)) return names;
  const std::string prefix = join(found.path, "");
  for (auto entry = files_.upper_bound(prefix); entry != files_.end() && entry->first.starts_with(prefix); ++entry)
    if (entry->first.find('/', prefix.size()) == std::string::npos) names.push_back(entry->first.substr(prefix.size()));
  return names;
}

bool RecordedFiles::has_entries(const std::string& directory_path) const {
  const std::string prefix = join(directory_path, "");
  const auto entry = files_.upper_bound(prefix);
  return entry != files_.end() && entry->first.starts_with(prefix);
}

std::string RecordedFiles::target_of(const std::string& path) const {
  const auto slash = path.find_last_of('/');
  const std::string name = slash == std::string::npos ? "" : path.substr(slash + 1);
  if (name.empty() || name == "." || name == "..") throw Refusal{EINVAL};
  const Found parent = resolve(slash == 0 ? "/" : path.substr(0, slash), Last::follow);
  if (is_absence(parent.failure) || (parent.failure == 0 && !is_directory(*parent.file)))
    throw Refusal{ENOENT, "its directory is not there"};
  if (parent.failure != 0) throw Refusal{parent.failure};
  return join(parent.path, name);
}

std::string RecordedFiles::write_beside(const std::string& target, const FileContent& content) {
  if (content.meta.type != FileType::regular && content.meta.type != FileType::symlink) throw Refusal{EINVAL};
  const std::string name = target.substr(target.rfind('/') + 1);
  const std::string temporary =
      join(parent_of(target), fmt::format("{}{:016x}", temporary_prefix(name), next_temporary_++));
  FileContent& written = files_.insert_or_assign(temporary, as_kept(content)).first->second;
  if (const auto older = files_.find(target); older != files_.end())
    if (const auto label = older->second.xattrs.find(selinux_label); label != older->second.xattrs.end())
      written.xattrs.insert(*label);
  return temporary;
}

void RecordedFiles::rename(const std::string& from, const std::string& to) {
  auto moved = files_.extract(from);
  const auto present = files_.find(to);
  if (present != files_.end() && is_directory(present->second)) throw Refusal{EISDIR};
  if (moved.empty()) throw Refusal{ENOENT};
  files_.insert_or_assign(to, std::move(moved.mapped()));
  written_[to] = written_[parent_of(to)] = ++now_;
  directories_changed_ = true;
}

void RecordedFiles::stage(const std::string& path, const FileContent& content) {
  log_.move("staging " + path, [&] {
    const std::string target = target_of(path);
    Staged staged{target, write_beside(target, content), content};
    if (const auto older = staged_.find(path); older != staged_.end()) files_.erase(older->second.temporary);
    staged_.insert_or_assign(path, std::move(staged));
    unsynced_ = true;
  });
}

void RecordedFiles::sync_staged() {
  if (unsynced_) log_.move("syncing what is staged", [&] { unsynced_ = false; });
}

void RecordedFiles::discard_staged() {
  for (const auto& [path, staged] : staged_) files_.erase(staged.temporary);
  staged_.clear();
  unsynced_ = false;
}

void RecordedFiles::replace(const std::string& path, const FileContent& content) {
  log_.move("writing " + path, [&] {
    const std::string target = target_of(path);
    if (is_directory(content)) return make_directory(target, content);
    if (content.meta.type == FileType::other) return set_node(files_, target, content);
    if (const auto staged = staged_.extract(path)) {
      if (staged.mapped().target == target && staged.mapped().content == content)
        return rename(staged.mapped().temporary, target);
      files_.erase(staged.mapped().temporary);
    }
    rename(write_beside(target, content), target);
  });
}

void RecordedFiles::put(const std::string& path, const FileContent& content) {
  const std::string target = target_of(path);
  rename(write_beside(target, content), target);
}

void RecordedFiles::make_directory(const std::string& at, const FileContent& content) {
  const auto present = files_.find(at);
  if (present != files_.end() && !is_directory(present->second)) throw Refusal{ENOTDIR};
  files_.insert_or_assign(at, as_kept(content));
  directories_changed_ = true;
}

void RecordedFiles::remove(const std::string& path) {
  log_.move("removing " + path, [&] {
    const std::string target = target_of(path);
    const auto present = files_.find(target);
    if (present == files_.end()) throw Refusal{ENOENT};
    if (is_directory(present->second) && has_entries(target)) throw Refusal{ENOTEMPTY};
    files_.erase(present);
    written_[parent_of(target)] = ++now_;
    directories_changed_ = true;
  });
}

void RecordedFiles::sync_directories() {
  if (directories_changed_) log_.move("syncing directories", [&] { directories_changed_ = false; });
}

void RecordedFiles::append(const std::string& path, std::string_view bytes, bool) {
  log_.move("appending to " + path, [&] {
    const Found found = resolve(path, Last::keep);
    if (found.failure == ENOENT && !found.path.empty()) {
      FileContent made;
      made.meta.mode = 0600;
      made.bytes = bytes;
      files_.emplace(found.path, std::move(made));
      directories_changed_ = true;
      return;
    }
    if (found.failure != 0) throw Refusal{found.failure};
    if (is_directory(*found.file)) throw Refusal{EISDIR};
    if (found.file->meta.type != FileType::regular)
      throw Refusal{found.file->meta.type == FileType::symlink ? ELOOP : EINVAL};
    files_.at(found.path).bytes += bytes;
  });
}

}  // namespace rdmastate
