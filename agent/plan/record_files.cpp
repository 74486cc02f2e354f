// SPDX-License-Identifier: Apache-2.0
#include "plan/record_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/path.hpp"
#include "host/look_at.hpp"
#include "host/mark.hpp"
#include "resources/file/file.hpp"
#include "resources/secrets.hpp"

namespace rdmastate {
namespace {

// The path without "." and "..".
std::string resolved(std::string_view path) {
  std::vector<std::string> names;
  for (auto& name : split(path, "/")) {
    if (name == "..") {
      if (!names.empty()) names.pop_back();
    } else if (name != ".") {
      names.push_back(std::move(name));
    }
  }
  return fmt::format("/{}", fmt::join(names, "/"));
}

// Whether the place is in sysfs. Reading a file there may fail, as that of the speed of a link that is down: then the
// record has no such file. A directory of sysfs is kept only where a file in it is.
bool is_in_sysfs(const FilePlace& place) { return place.pattern.starts_with("/sys/"); }

// Puts files into the record: keep() walks along the pattern of a place to each file that it names, whose text
// keep_text() keeps whole or in part; finish() joins the parts.
class FileKeeper {
 public:
  FileKeeper(const Snapshot& snapshot, const Facts& facts, HostModel& model)
      : snapshot_(snapshot), facts_(facts), model_(model) {
    if (snapshot.is_tree()) return;
    for (const Link* link : snapshot.links())
      if (!link->is_ipoib()) other_links_.insert(link->name);
  }

  void keep(const FilePlace& place) { walk(place, "", std::string_view(place.pattern).substr(1)); }

  // To be called after the last keep(): puts the kept parts of files together.
  void finish() {
    for (auto& [path, parts] : parts_) {
      FileContent& file = model_.files.at(path);
      for (const auto& part : parts) file.bytes += part;
    }
    model_.unseen.insert(unseen_.begin(), unseen_.end());
  }

 private:
  // Follows the pattern name by name through the directories that are there, and keeps the files that it names.
  void walk(const FilePlace& place, const std::string& directory, std::string_view rest) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string name(rest.substr(0, end));
    const std::string_view rest_behind = rest.substr(std::min(end + 1, rest.size()));
    const auto keep_or_follow = [&](const std::string& entry) {
      const std::string path = directory + "/" + entry;
      const bool is_sysfs = is_in_sysfs(place);
      if (rest_behind.empty()) return is_sysfs ? keep_attribute(place, path) : keep_path(place, path);
      if (is_sysfs || keep_directory(path)) walk(place, path, rest_behind);
    };
    if (name.find('*') == std::string::npos) return keep_or_follow(name);
    look_at(directory, unseen_, [&] {
      for (const auto& entry : snapshot_.list(directory))
        if (is_named_by(name, entry)) keep_or_follow(entry);
    });
  }

  // Keeps what stands at the path, and returns whether it leads on: it is a directory, or a link to one, which becomes
  // a directory. Of a regular file the bytes are left out.
  bool keep_directory(const std::string& path) {
    bool leads_on = false;
    look_at(path, unseen_, [&] {
      const auto& file = snapshot_.file(path);
      if (!file) return;
      FileContent kept = *file;
      leads_on = kept.meta.type == FileType::directory ||
                 (kept.meta.type == FileType::symlink && snapshot_.exists(path + "/."));
      if (leads_on && kept.meta.type == FileType::symlink) kept = content_from(directory());
      if (!leads_on && kept.meta.type == FileType::regular) kept.bytes.clear();
      model_.files.try_emplace(path, std::move(kept));
    });
    return leads_on;
  }

  // Keeps a file of sysfs, unless the kernel refuses to give its value.
  void keep_attribute(const FilePlace& place, const std::string& path) {
    look_at(path, unseen_, [&] {
      try {
        const auto& file = snapshot_.file(path);
        if (file && file->meta.type == FileType::regular) keep_text(place, path, *file);
      } catch (const SystemError& error) {
        if (error.is_denied()) throw;
      }
    });
  }

  // Keeps what stands at the path: a file, a directory, a symlink with the file that it leads to.
  void keep_path(const FilePlace& place, const std::string& path) {
    look_at(path, unseen_, [&] {
      const auto& file = snapshot_.file(path);
      if (!file) return;
      if (file->meta.type == FileType::regular) return keep_text(place, path, *file);
      model_.files.insert_or_assign(path, *file);
      if (file->meta.type == FileType::symlink) keep_target(place, path, file->bytes);
    });
  }

  // Keeps the file that a link leads to under its own path, with the bytes as read through the link.
  void keep_target(const FilePlace& place, const std::string& path, const std::string& target) {
    const auto text = snapshot_.read(path);
    if (!text) return;
    const std::string at = resolved(target.starts_with('/') ? target : parent_path(path) + "/" + target);
    keep_text(place, at, content_from(regular_file(*text)));
  }

  // Keeps a file of rdmastate whole, and an empty file, which masks others of its name; of any other file what the
  // place says.
  void keep_text(const FilePlace& place, const std::string& path, FileContent file) {
    const bool is_ours = file.bytes.empty() || is_rendered(file.bytes);
    const Kept kept =
        !place.keep || is_ours ? Kept{Kept::How::whole} : place.keep({facts_, other_links_, path, file.bytes});
    if (kept.how == Kept::How::nothing || whole_.contains(path)) return;
    if (kept.how == Kept::How::whole) {
      whole_.insert(path);
      parts_.erase(path);
      file.bytes = without_secrets(file.bytes);
    } else {
      auto& parts = parts_[path];
      if (std::find(parts.begin(), parts.end(), kept.part) == parts.end()) parts.push_back(kept.part);
      file.bytes.clear();
    }
    model_.files.insert_or_assign(path, std::move(file));
  }

  const Snapshot& snapshot_;
  const Facts& facts_;
  HostModel& model_;
  std::set<std::string> other_links_;  // names of the host's interfaces of other types than IPoIB, for FilePlace::keep
  std::vector<std::string> unseen_;
  std::set<std::string> whole_;                            // paths of files that are kept whole
  std::map<std::string, std::vector<std::string>> parts_;  // of each other file the parts that its places keep
};

}  // namespace

void keep_files(const Snapshot& snapshot, const Facts& facts, const FilePlaces& places, HostModel& model) {
  FileKeeper keeper(snapshot, facts, model);
  std::set<std::string> holds;
  for (const auto& place : places) {
    keeper.keep(place);
    holds.insert(place.pattern);
  }
  keeper.finish();
  model.holds.emplace(holds.begin(), holds.end());
}

}  // namespace rdmastate
