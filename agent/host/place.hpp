// SPDX-License-Identifier: Apache-2.0
// FilePlaces: the files of a host that a plan may read, and for each how much of it a record (`show --record`) keeps.
// Facts, sections and kinds name their places.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rdmastate {

struct Facts;

/// What a record keeps of one file. Where several places name the file, `whole` counts, else all their different parts.
struct Kept {
  enum class How : std::uint8_t { nothing, part, whole };
  How how = How::nothing;
  std::string part = {};  ///< of How::part: the kept text, in the file's format; may be empty
};

/// A file that a record could keep.
struct FileToKeep {
  const Facts& facts;
  const std::set<std::string>& others;  ///< the names of the host's interfaces that are not IPoIB
  std::string_view path;
  std::string_view text;

  std::string_view name() const { return path.substr(path.rfind('/') + 1); }
};

/// Files that a plan may read.
struct FilePlace {
  /// An absolute path. A star stands for any part of one name: "/etc/systemd/system/*.service.d/*.conf".
  std::string pattern;
  /// What a record keeps of it; null: all. Not asked of an empty file or one that rdmastate rendered: these are kept
  /// whole. Of a file that is kept whole the secrets are hidden (resources/secrets.hpp).
  std::function<Kept(const FileToKeep&)> keep = {};
};
/// A list of them, in no order.
using FilePlaces = std::vector<FilePlace>;

/// FilePlaces that keep whole files.
FilePlaces whole_files(std::initializer_list<std::string_view> patterns);
/// The place of a file of which a plan only asks whether it is there.
FilePlace presence(std::string_view path);
/// For FilePlace::keep: keeps this text of the file; where the text is empty, nothing of the file.
Kept kept_part(std::string text);

/// Adds `more` at the end.
void append(FilePlaces& to, FilePlaces more);

/// Whether the pattern names the path itself.
bool is_named_by(std::string_view pattern, std::string_view path);
/// Whether the path is a directory above the files that the pattern names.
bool is_on_the_way(std::string_view pattern, std::string_view path);
/// Whether a record that was made of the files of these patterns can tell if the path exists.
bool is_held(const std::vector<std::string>& patterns, std::string_view path);

}  // namespace rdmastate
