// SPDX-License-Identifier: Apache-2.0
// What the images hold, without opening them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/snapshot.hpp"
#include "platform/initrd.hpp"

namespace rdmastate {

struct HostModel;

using InitrdHolds = std::map<std::string, std::string>;  ///< digests, by a file's path or an entry's key

/// An initrd and the kernel release that it is for.
struct InitrdImage {
  std::string release;
  std::string path;
};

/// The images that the next boot may use: the running kernel's and those of newer ones; of a tree all. Older ones are
/// what somebody boots when a new one does not, and stay as they are. maker nullptr: there are none.
struct InitrdImages {
  const InitrdMaker* maker = nullptr;
  std::vector<InitrdImage> images;
};
/// Looks for them once per call.
InitrdImages initrd_images(const Snapshot& snapshot);

/// Our files and entries as they are on the disk now, of those that the maker copies.
InitrdHolds on_disk(const Snapshot& snapshot, const InitrdMaker& maker);

/// What each image was seen to hold, and which image that was: a file of rdmastate's own, beside the runs.
struct InitrdNote {
  FileStamp stamp;
  InitrdHolds holds;
};
using InitrdNotes = std::map<std::string, InitrdNote>;  ///< by image
/// Read from the notes' file, empty where there is none; and the file's text.
InitrdNotes read_initrd_notes(const Snapshot& snapshot);
std::string initrd_notes_text(const InitrdNotes& notes);

/// What one image holds: what was noted of it, as long as it is that image. One that somebody else has made since holds
/// what is on the disk and is not newer than it.
InitrdHolds held_by(const Snapshot& snapshot, const InitrdMaker& maker, const std::string& image,
                    const InitrdNotes& notes);

// A kind's `places` and `keep`.
/// See Kind::places and Kind::keep.
FilePlaces places_of_initrds();
void keep_initrds(const Snapshot& snapshot, const Facts& facts, HostModel& model);

}  // namespace rdmastate
