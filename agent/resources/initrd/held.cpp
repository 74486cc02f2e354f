// SPDX-License-Identifier: Apache-2.0
// on_disk() says what an image would hold that is made now, held_by() what an image holds. Between them the notes' file
// is read and written.
#include "resources/initrd/held.hpp"

#include <algorithm>
#include <sstream>

#include "base/json_object.hpp"
#include "base/sha256.hpp"
#include "host/ordered_files.hpp"
#include "platform/entry_files.hpp"
#include "platform/layout.hpp"
#include "resources/entry/entry.hpp"
#include "resources/entry/text.hpp"
#include "resources/initrd/initrd.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view own_mark = "rdmastate";  // in the names of all files of rdmastate

// Notes of version 1 may name files that the image does not hold: they were made without dracut's settings.
constexpr int notes_version = 2;

// Whether the next boot may use a kernel of this release. `running`: the kernel's own release; empty: not known.
bool is_bootable(const Snapshot& snapshot, const std::string& running, const std::string& release) {
  return snapshot.is_tree() || running.empty() || !is_older_kernel(release, running);
}

// The paths of what may be an image: the files of /boot; in a tree also those of makers that put them elsewhere, beside
// a kernel.
std::vector<std::string> candidates(const Snapshot& snapshot) {
  std::vector<std::string> paths;
  for (const auto& name : snapshot.list(std::string(initrd_key))) paths.push_back(std::string(initrd_key) + "/" + name);
  if (!snapshot.is_tree()) return paths;
  for (const auto& maker : initrd_makers()) {
    if (maker.before.starts_with(initrd_key)) continue;
    for (const auto& release : snapshot.list("/lib/modules"))
      if (auto path = initrd_image(maker, release); snapshot.exists(path)) paths.push_back(std::move(path));
  }
  return paths;
}

// Debian's dracut (112) brings an update-initramfs of its own, which runs dracut: then mkinitramfs is not there.
bool is_installed(const Snapshot& snapshot, InitrdProgram program) {
  if (!snapshot.exists(path_of(program))) return false;
  return program == InitrdProgram::dracut || !snapshot.exists(path_of(InitrdProgram::dracut)) ||
         snapshot.exists(mkinitramfs);
}

// Those of `paths` that are images of this maker, for kernels that are there and may be booted. None where the maker is
// not installed.
std::vector<InitrdImage> images_of(const Snapshot& snapshot, const InitrdMaker& maker,
                                   const std::vector<std::string>& paths) {
  std::vector<InitrdImage> images;
  for (const auto& path : paths)
    if (auto release = initrd_release(maker, path)) images.push_back({std::move(*release), path});
  if (images.empty() || !is_installed(snapshot, maker.program)) return {};
  const auto kernels = snapshot.list("/lib/modules");
  std::string running = snapshot.is_tree() ? "" : snapshot.read("/proc/sys/kernel/osrelease").value_or("");
  running = running.substr(0, running.find('\n'));
  std::erase_if(images, [&](const InitrdImage& image) {
    const bool known = std::find(kernels.begin(), kernels.end(), image.release) != kernels.end();
    return !known || !is_bootable(snapshot, running, image.release);
  });
  return images;
}

// Adds the entries of one file, such as mlx4.conf: the first word of each line may be an entry's name.
void add_entries(const Snapshot& snapshot, const std::string& path, InitrdHolds& holds) {
  const EntryFile* file = entry_file(path);
  const auto text = snapshot.read(path);
  if (file == nullptr || !text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (const auto entry = name.empty() ? std::nullopt : entry_in(file->form, *text, name))
      holds.emplace(entry_key(path, name), sha256_hex(entry->value));
  }
}

// The path of a file, or of the file that an entry is in ("PATH NAME").
std::string path_in(const std::string& key) { return key.substr(0, key.find(' ')); }

// Whether the file was written after the image.
bool is_newer(const Snapshot& snapshot, const std::string& path, const FileStamp& image) {
  const auto stamp = snapshot.stamp(path);
  return stamp && stamp->modified > image.modified;
}

}  // namespace

InitrdImages initrd_images(const Snapshot& snapshot) {
  const auto paths = candidates(snapshot);
  for (const auto& maker : initrd_makers())
    if (auto images = images_of(snapshot, maker, paths); !images.empty()) return {&maker, std::move(images)};
  return {};
}

Copied::Copied(const Snapshot& snapshot, const InitrdMaker& maker) : maker_(maker) {
  if (maker.program != InitrdProgram::dracut || !maker.before.starts_with(initrd_key)) return;
  settings_.hostonly = !snapshot.exists(std::string(dracut_version_file));
  std::vector<std::string> unseen;
  std::vector<std::string> paths{std::string(dracut_conf)};
  for (const auto& [name, path] : files_that_count(snapshot, dracut_directories, ".conf", unseen))
    paths.push_back(path);
  for (const auto& path : paths) add_dracut_settings(snapshot.read(path).value_or(""), settings_);
  paths.insert(paths.end(), dracut_directories.begin(), dracut_directories.end());  // a file that went was in one
  for (const auto& path : paths)
    if (const auto stamp = snapshot.stamp(path)) written_ = std::max(written_, stamp->modified);
}

Copying Copied::of(std::string_view path) const {
  const InitrdInput* input = initrd_input(maker_, path);
  if (input == nullptr) return Copying::never;
  if (settings_.names(path)) return Copying::always;
  if (!settings_.hostonly && !input->suffix.empty()) return Copying::never;  // mlx4.conf: rdma-core's module copies it
  return input->may_lack ? Copying::where_held : Copying::always;
}

bool Copied::is_kept_out(std::string_view path) const {
  const InitrdInput* input = initrd_input(maker_, path);
  return input != nullptr && !input->may_lack && of(path) == Copying::never;
}

InitrdHolds on_disk(const Snapshot& snapshot, const InitrdMaker& maker) {
  const Copied copied(snapshot, maker);
  InitrdHolds holds;
  for (const auto& input : maker.inputs) {
    const std::string path(input.path);
    if (input.suffix.empty()) {  // one file, of which rdmastate has entries
      add_entries(snapshot, path, holds);
      continue;
    }
    for (const auto& name : snapshot.list(path.substr(0, path.size() - 1))) {  // without its last slash
      if (name.find(own_mark) == std::string::npos || name.starts_with('.') || !name.ends_with(input.suffix)) continue;
      if (copied.of(path + name) == Copying::never) continue;
      if (const auto bytes = snapshot.read(path + name)) holds.emplace(path + name, sha256_hex(*bytes));
    }
  }
  return holds;
}

namespace {

InitrdNote note_from(const Json& json, const std::string& path) {
  JsonObject in(json, path);
  InitrdNote note;
  note.stamp = {in.integer("modified"), static_cast<std::uint64_t>(in.integer("size"))};
  in.each_member("holds", [&](const std::string& held, const Json& digest, const std::string& place) {
    note.holds.emplace(held, json_text(digest, place));
  });
  return note;
}

}  // namespace

InitrdNotes read_initrd_notes(const Snapshot& snapshot) {
  InitrdNotes notes;
  try {
    const Json file = parse_json(snapshot.read(std::string(common_layout().initrd_notes)).value_or(""));
    JsonObject in(file, /*path=*/"");
    if (in.number("format_version") != notes_version) return notes;
    in.each_member("images", [&](const std::string& image, const Json& one, const std::string& path) {
      notes.emplace(image, note_from(one, path));
    });
  } catch (const Error&) {
    notes.clear();  // damaged notes count as none: images are treated as made by others
  }
  return notes;
}

std::string initrd_notes_text(const InitrdNotes& notes) {
  Json images = Json::object();
  for (const auto& [image, note] : notes)
    images.add(image,
               {{"modified", note.stamp.modified}, {"size", note.stamp.size}, {"holds", Json::object_of(note.holds)}});
  return Json{{"format_version", notes_version}, {"images", images}}.dump(1) + "\n";
}

InitrdHolds held_by(const Snapshot& snapshot, const InitrdMaker& maker, const std::string& image,
                    const InitrdNotes& notes) {
  const auto stamp = snapshot.stamp(image);
  if (!stamp) return {};
  if (const auto note = notes.find(image); note != notes.end() && note->second.stamp == *stamp)
    return note->second.holds;
  if (Copied(snapshot, maker).is_newer_than(*stamp)) return {};
  InitrdHolds holds = on_disk(snapshot, maker);
  std::erase_if(holds, [&](const auto& one) { return is_newer(snapshot, path_in(one.first), *stamp); });
  return holds;
}

}  // namespace rdmastate
