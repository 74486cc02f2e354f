// SPDX-License-Identifier: Apache-2.0
// Kind `file`: one path that rdmastate owns as a whole: a regular file, a symlink, or a directory for its files.
// Key: the path. Durable.
#pragma once

#include <functional>

#include "resources/kind.hpp"
#include "resources/step.hpp"

namespace rdmastate {

template <>
struct Names<FileType> {
  static constexpr std::string_view wanted = "regular, directory, symlink or other";
  static constexpr std::array table{
      Name<FileType>{FileType::regular, "regular"}, Name<FileType>{FileType::directory, "directory"},
      Name<FileType>{FileType::symlink, "symlink"}, Name<FileType>{FileType::other, "other"}};
};

/// Permission bits; text "0644".
struct FileMode {
  std::uint32_t value = 0644;
  auto operator<=>(const FileMode&) const = default;
};
template <>
struct Text<FileMode> {
  static constexpr std::string_view wanted = "permission bits in octal such as \"0644\"";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string","pattern":"^0[0-7]{3,4}$"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, FileMode& out);
  static std::string print(const FileMode& mode);
};

/// Any bytes. Text: themselves where they are UTF-8, else "hex:" and hexadecimal.
struct Bytes {
  std::string value;
  auto operator<=>(const Bytes&) const = default;
};
template <>
struct Text<Bytes> {
  static constexpr std::string_view wanted = "text, or bytes as hex:...";
  static constexpr JsonForm form = JsonForm::string;
  static std::string schema() { return R"({"type":"string"})"; }
  static std::optional<Complaint> read(const Scalar& scalar, Bytes& out);
  static std::string print(const Bytes& bytes);
};

/// A file, symlink or directory. In a wanted state a field that is not set is left as the file has it
/// (laid_over_file()); a new file gets the defaults of content_from().
struct FileState {
  FileType type = FileType::regular;
  std::optional<FileMode> mode;
  std::optional<std::uint32_t> uid;
  std::optional<std::uint32_t> gid;
  std::optional<Bytes> content;         ///< of a symlink its target; nullopt of a directory
  std::map<std::string, Bytes> xattrs;  ///< by full name; a wanted state names those that it needs, others stay
  bool operator==(const FileState&) const = default;
};

template <>
struct Fields<FileState> {
  static constexpr std::string_view name = "file";
  static constexpr std::string_view doc = "A file, symlink or directory.";
  static constexpr auto table = Table{
      Field{"type", &FileState::type, "What it is.", {.required = true}},
      Field{"mode", &FileState::mode, "Permission bits."},
      Field{"uid", &FileState::uid, "The owner's number."},
      Field{"gid", &FileState::gid, "The group's number."},
      Field{"content", &FileState::content, "Its bytes, or a symlink's target."},
      Field{"xattrs", &FileState::xattrs, "Extended attributes."},
  };
};

extern const Kind file_kind;

/// A root-owned regular file.
FileState regular_file(std::string content, std::uint32_t mode = 0644);
/// A symlink; mode, owner and group are left open.
FileState symlink_to(std::string target);
/// A directory; owner and group are left open. One that is there already is as wanted, whatever its mode.
FileState directory(std::uint32_t mode = 0755);
/// The file that a state describes. What the state leaves out is 0644 (the mode), 0 (owner and group) or empty.
FileContent content_from(const FileState& state);
/// The file in a state of kind `file`, or of a kind that is based on it (nm_profile, networkd_file).
const FileState& file_of(const State& state);
/// Whether the plan removes the file at this path, whatever kind it is of, or the entry with this key ("PATH NAME").
bool is_going(const Scene& scene, const std::string& path);
/// The paths of kind `file` whose bytes the plan changes or removes, and for which `is_meant` is true.
std::vector<std::string> changing_files(const Scene& scene, const std::function<bool(const std::string&)>& is_meant);
/// A step of any kind that is based on a file, as lines of a diff (Kind::lines); secrets are hidden.
std::string file_lines(const State* from, const State* to);
/// The step that makes a file of rdmastate hold this text, or with "" removes it; nullopt: nothing is to do, or a
/// directory or special file stands there, which stays. Throws Error where this user may not read the file.
std::optional<Step> step_to_text(const Snapshot& snapshot, const std::string& path, const std::string& text,
                                 std::uint32_t mode = 0644);
/// The directory that holds a path: "/etc/udev" for "/etc/udev/rules.d".
std::string parent_path(const std::string& path);
/// The last part of a path: "rules.d" for "/etc/udev/rules.d".
std::string file_name(std::string_view path);

// Parts of this kind for other kinds whose resources are files (nm_profile, networkd_file) or are read from files.
/// What was seen at a path.
using FileObservation = std::variant<Absent, FileState, Unseen>;
/// Looks at a path as lstat(2) does. Unseen where this user may not look; throws SystemError where it fails for another
/// reason.
FileObservation observe_file(const Snapshot& snapshot, const std::string& path);
/// The state that a step leaves: `present` with the fields that `wanted` sets. It equals `present` when nothing has to
/// be written.
FileState laid_over_file(const FileState& present, const FileState& wanted);
/// Whether `present` has all that `wanted` sets.
bool is_as_wanted(const FileState& present, const FileState& wanted);
/// A sentence when a file of the one type cannot become the other; else empty.
std::string type_clash(const std::string& path, const FileState& present, const FileState& wanted);
/// A sentence when a special file stands at the path (a FIFO, socket or device), which rdmastate never makes; else
/// empty.
std::string special_clash(const std::string& path, const FileState& present);
/// The word for people: "file", "directory", "symlink".
std::string_view noun(FileType type);
/// stage_file() stages the state beside its path where the directory exists, write_file() writes it at once: see
/// Files::stage() and Files::replace().
void stage_file(Tools& tools, const std::string& path, const FileState& file);
void write_file(Tools& tools, const std::string& path, const FileState& file);
/// Kind::stage of a file that its owner has to take up: stages it only where the path does not have what is wanted.
void stage_unless_as_wanted(Tools& tools, const std::string& path, const State* to);
/// Kind::needs of a file: its directory, which is made before the file and removed after it. `state` is not used.
std::vector<Ref> needs_directory(const std::string& path, const State* state);

}  // namespace rdmastate
