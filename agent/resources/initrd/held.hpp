// SPDX-License-Identifier: Apache-2.0
// Which of rdmastate's files and entries are copied into the initrd images. No image is opened: rdmastate keeps a note
// of what it saw each image hold. Where an image has changed since its note, or has none, the times of the image and of
// the files decide.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "host/snapshot.hpp"
#include "platform/dracut.hpp"
#include "platform/initrd.hpp"

namespace rdmastate {

struct HostModel;

/// What an image holds: a SHA-256 in hex of each file or entry, by the file's path or the entry's key ("PATH NAME").
using InitrdHolds = std::map<std::string, std::string>;

/// An initrd by its path, and the kernel release that it is for ("6.1.0-40-amd64").
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
/// Finds them: the first maker of initrd_makers() that is installed and has images.
InitrdImages initrd_images(const Snapshot& snapshot);

/// Whether the maker copies a file: `where_held` into images that hold it already; in others it may lack.
enum class Copying : std::uint8_t { never, where_held, always };

/// What a maker copies: by its table alone, or also by the settings of dracut on a host, which are read once.
class Copied {
 public:
  explicit Copied(const InitrdMaker& maker) : maker_(maker) {}
  Copied(const Snapshot& snapshot, const InitrdMaker& maker);
  /// How the maker treats the file of that path.
  Copying of(std::string_view path) const;
  /// Whether an image without the file does harm, and dracut's settings keep the file out of all images.
  bool is_kept_out(std::string_view path) const;
  /// Whether a file of dracut's settings was written, or one of their directories changed, after the image: then the
  /// settings do not tell what the image holds.
  bool is_newer_than(const FileStamp& image) const { return written_ > image.modified; }

 private:
  const InitrdMaker& maker_;
  DracutSettings settings_;
  std::int64_t written_ = 0;  ///< when the newest of these files was written, or their directories changed
};

/// What an image that the maker makes now would hold: rdmastate's files, and entries of files such as mlx4.conf.
InitrdHolds on_disk(const Snapshot& snapshot, const InitrdMaker& maker);

/// What rdmastate saw an image hold, and the image's stamp then: another stamp means that the image was made anew. The
/// notes of all images are a file of rdmastate (common_layout().initrd_notes).
struct InitrdNote {
  FileStamp stamp;
  InitrdHolds holds;
};
using InitrdNotes = std::map<std::string, InitrdNote>;  ///< by the image's path
/// read_initrd_notes() reads the notes' file: empty where it is missing, damaged, or of another version of the format.
/// initrd_notes_text() is the text of that file.
InitrdNotes read_initrd_notes(const Snapshot& snapshot);
std::string initrd_notes_text(const InitrdNotes& notes);

/// What the image at the path `image` holds. While its stamp is that of its note: what the note says. Else another
/// program has made it, and it holds those files on the disk that are not newer than the image; none where dracut's
/// settings are newer. A missing image holds nothing.
InitrdHolds held_by(const Snapshot& snapshot, const InitrdMaker& maker, const std::string& image,
                    const InitrdNotes& notes);

/// The program of initramfs-tools that tells its update-initramfs from the one of Debian's dracut.
inline constexpr const char* mkinitramfs = "/usr/sbin/mkinitramfs";

/// Kind::places and Kind::keep of the kind `initrd`.
FilePlaces places_of_initrds();
void keep_initrds(const Snapshot& snapshot, const Facts& facts, HostModel& model);

}  // namespace rdmastate
