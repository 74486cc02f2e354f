// SPDX-License-Identifier: Apache-2.0
#include "resources/initrd_held.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/sha256.hpp"
#include "platform/entry_files.hpp"
#include "platform/layout.hpp"
#include "resources/entry.hpp"
#include "resources/entry_text.hpp"
#include "resources/initrd.hpp"

namespace rdmastate {
namespace {

using nlohmann::json;

constexpr std::string_view own_mark = "rdmastate";  // in the names of all files of ours

bool is_bootable(const Snapshot& snapshot, const std::string& running, const std::string& release) {
  return snapshot.is_tree() || running.empty() || !is_older_kernel(release, running);
}

std::vector<InitrdImage> images_of(const Snapshot& snapshot, const InitrdMaker& maker,
                                   const std::vector<std::string>& names) {
  std::vector<InitrdImage> images;
  for (const auto& name : names) {
    std::string path = std::string(initrd_key) + "/" + name;
    if (auto release = initrd_release(maker, path)) images.push_back({std::move(*release), std::move(path)});
  }
  if (images.empty() || !snapshot.exists(path_of(maker.program))) return {};
  const auto kernels = snapshot.list("/lib/modules");
  std::string running = snapshot.is_tree() ? "" : snapshot.read("/proc/sys/kernel/osrelease").value_or("");
  running = running.substr(0, running.find('\n'));
  std::erase_if(images, [&](const InitrdImage& image) {
    const bool known = std::find(kernels.begin(), kernels.end(), image.release) != kernels.end();
    return !known || !is_bootable(snapshot, running, image.release);
  });
  return images;
}

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

std::string file_of(const std::string& key) { return key.substr(0, key.find(' ')); }

bool is_newer(const Snapshot& snapshot, const std::string& path, const FileStamp& image) {
  const auto stamp = snapshot.stamp(path);
  return stamp && stamp->modified > image.modified;
}

}  // namespace

InitrdImages initrd_images(const Snapshot& snapshot) {
  const auto names = snapshot.list(std::string(initrd_key));
  for (const auto& maker : initrd_makers())
    if (auto images = images_of(snapshot, maker, names); !images.empty()) return {&maker, std::move(images)};
  return {};
}

InitrdHolds on_disk(const Snapshot& snapshot, const InitrdMaker& maker) {
  InitrdHolds holds;
  for (const auto& input : maker.inputs) {
    const std::string path(input.path);
    if (input.suffix.empty()) {
      add_entries(snapshot, path, holds);
      continue;
    }
    for (const auto& name : snapshot.list(path.substr(0, path.size() - 1))) {
      if (name.find(own_mark) == std::string::npos || name.starts_with('.') || !name.ends_with(input.suffix)) continue;
      if (const auto bytes = snapshot.read(path + name)) holds.emplace(path + name, sha256_hex(*bytes));
    }
  }
  return holds;
}

InitrdNotes read_initrd_notes(const Snapshot& snapshot) {
  InitrdNotes notes;
  const json file = json::parse(snapshot.read(std::string(common_layout().initrd_notes)).value_or(""), nullptr, false);
  if (!file.is_object() || file.value("format_version", 0) != 1) return notes;
  try {
    for (const auto& [image, one] : file.at("images").items())
      notes.emplace(image, InitrdNote{{one.at("modified").get<std::int64_t>(), one.at("size").get<std::uint64_t>()},
                                      one.at("holds").get<InitrdHolds>()});
  } catch (const json::exception&) {
    notes.clear();  // nothing is known then, and the images are looked at as somebody else's
  }
  return notes;
}

std::string initrd_notes_text(const InitrdNotes& notes) {
  json images = json::object();
  for (const auto& [image, note] : notes)
    images[image] = {{"modified", note.stamp.modified}, {"size", note.stamp.size}, {"holds", note.holds}};
  return json{{"format_version", 1}, {"images", images}}.dump(1) + "\n";
}

InitrdHolds held_by(const Snapshot& snapshot, const InitrdMaker& maker, const std::string& image,
                    const InitrdNotes& notes) {
  const auto stamp = snapshot.stamp(image);
  if (!stamp) return {};
  if (const auto note = notes.find(image); note != notes.end() && note->second.stamp == *stamp)
    return note->second.holds;
  InitrdHolds holds = on_disk(snapshot, maker);
  std::erase_if(holds, [&](const auto& one) { return is_newer(snapshot, file_of(one.first), *stamp); });
  return holds;
}

}  // namespace rdmastate
