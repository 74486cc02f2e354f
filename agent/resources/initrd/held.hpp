// SPDX-License-Identifier: Apache-2.0
// What the initrd images hold of rdmastate's files, found without opening them: by notes that rdmastate keeps of each
// image, and of an image that has no true note by the times of the image and of the files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "host/snapshot.hpp"
#include "platform/initrd.hpp"

namespace rdmastate {

struct HostModel;

/// What an image holds: a digest of each file or entry, by its path or key.
using InitrdHolds = std::map<std::string, std::string>;

/// An initrd and the kernel release that it is for.
struct InitrdImage {
  std::string release;
  std::string path;
};

/// The images that the next boot may use: those of the running kernel and of newer ones; in a tree all. Images of older
/// kernels stay as they are: a user boots them when a newer one fails. maker nullptr: there are none.
struct InitrdImages {
  const InitrdMaker* maker = nullptr;
  std::vector<InitrdImage> images;
};
/// Looks for them once per call.
InitrdImages initrd_images(const Snapshot& snapshot);

/// rdmastate's files and entries as they are on the disk now, as far as the maker copies them into an image.
InitrdHolds on_disk(const Snapshot& snapshot, const InitrdMaker& maker);

/// What rdmastate saw an image hold, and the stamp by which it knows that image. The notes of all images are a file of
/// rdmastate (common_layout().initrd_notes).
struct InitrdNote {
  FileStamp stamp;
  InitrdHolds holds;
};
using InitrdNotes = std::map<std::string, InitrdNote>;  ///< by image
/// read_initrd_notes() reads the notes' file: empty where it is missing or damaged. initrd_notes_text() is the text of
/// that file.
InitrdNotes read_initrd_notes(const Snapshot& snapshot);
std::string initrd_notes_text(const InitrdNotes& notes);

/// What one image holds: what its note says, as long as the stamp is the same. An image that another program has made
/// since holds what is on the disk and is not newer than the image. A missing image holds nothing.
InitrdHolds held_by(const Snapshot& snapshot, const InitrdMaker& maker, const std::string& image,
                    const InitrdNotes& notes);

/// Kind::places and Kind::keep of the kind `initrd`.
FilePlaces places_of_initrds();
void keep_initrds(const Snapshot& snapshot, const Facts& facts, HostModel& model);

}  // namespace rdmastate
