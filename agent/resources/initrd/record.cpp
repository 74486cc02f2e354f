// SPDX-License-Identifier: Apache-2.0
// What a record keeps of a host's initrds: for each image a list of rdmastate's files in it, and those facts of the
// host that decide whether and how images can be made.
#include <fmt/format.h>

#include <cerrno>
#include <map>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "base/sha256.hpp"
#include "host/recorded/initrds.hpp"
#include "platform/layout.hpp"
#include "resources/file/file.hpp"
#include "resources/initrd/held.hpp"
#include "resources/initrd/initrd.hpp"

namespace rdmastate {
namespace {

// The text that stands for an image in a record (host/recorded/initrds.hpp): a line per file with its path and digest.
// A file that the image holds otherwise than the disk is left out, so that the recorded image is as stale as this
// host's. The digest is that of the file's bytes in the record, which may keep only a part of the file.
std::string listing(const Snapshot& snapshot, const InitrdMaker& maker, const InitrdImage& image,
                    const HostModel& model) {
  const InitrdHolds now = on_disk(snapshot, maker);
  std::map<std::string, bool> fresh;  // by path: whether the image holds it, and each entry of it, as the disk does
  for (const auto& [key, digest] : held_by(snapshot, maker, image.path, read_initrd_notes(snapshot))) {
    const std::string path = key.substr(0, key.find(' '));  // an entry's key is "PATH NAME"
    const auto there = now.find(key);
    bool& is_fresh = fresh.try_emplace(path, true).first->second;
    is_fresh = is_fresh && there != now.end() && there->second == digest;
  }
  std::string text(initrd_head);
  for (const auto& [path, is_fresh] : fresh)
    if (const auto file = model.files.find(path); is_fresh && file != model.files.end())
      text += path + " " + sha256_hex(file->second.bytes) + "\n";
  return text;
}

// Of /proc/self/mounts (proc(5)) only whether / and /boot are writable.
Kept mounts(const FileToKeep& file) {
  std::string text;
  for_lines(file.text, [&](std::string_view line) {
    const auto parts = words(line);
    if (parts.size() < 4 || (parts[1] != "/" && parts[1] != initrd_key)) return;
    const bool read_only = ("," + parts[3] + ",").find(",ro,") != std::string::npos;
    text += fmt::format("none {} none {} 0 0\n", parts[1], read_only ? "ro" : "rw");
  });
  return kept_part(std::move(text));
}

Kept dracut_part(const FileToKeep& file) { return kept_part(dracut_lines(file.text)); }

}  // namespace

FilePlaces places_of_initrds() {
  FilePlaces places;
  for (const char* path : {"/run/ostree-booted", "/usr/sbin/transactional-update", "/lib/modules/*"})
    places.push_back(presence(path));
  for (const auto& maker : initrd_makers()) places.push_back(presence(path_of(maker.program)));
  for (const std::string_view path : {std::string_view(mkinitramfs), dracut_version_file})
    places.push_back(presence(path));
  places.push_back({std::string(dracut_conf), dracut_part});
  for (const auto directory : dracut_directories) places.push_back({std::string(directory) + "/*.conf", dracut_part});
  places.push_back({"/proc/self/mounts", mounts});
  const auto nothing = [](const FileToKeep&) { return Kept{}; };  // keep_initrds() keeps it instead
  places.push_back({std::string(initrd_key) + "/*", nothing});
  places.push_back({std::string(common_layout().initrd_notes), nothing});
  return places;
}

void keep_initrds(const Snapshot& snapshot, const Facts&, HostModel& model) {
  try {
    const InitrdImages boot = initrd_images(snapshot);
    for (const auto& image : boot.images)
      model.files[image.path] = content_from(regular_file(listing(snapshot, *boot.maker, image, model)));
  } catch (const SystemError& error) {
    if (!error.is_denied()) throw;  // else keep_files() found the same: they are unseen in the record
  }
}

}  // namespace rdmastate
