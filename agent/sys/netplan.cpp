// SPDX-License-Identifier: Apache-2.0
#include "sys/netplan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "sys/files.hpp"
#include "sys/root.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t private_directory = 0700;
constexpr std::uint32_t private_file = 0600;

// For systemctl(1): it then returns and asks systemd for nothing. `netplan generate` (seen in 1.1) reloads systemd at
// its end, whatever its --root-dir is, and systemd then runs netplan's generator on the host's own files.
constexpr const char* systemd_is_left_alone = "SYSTEMD_OFFLINE=1";

// A directory of rdmastate in `directory`, which nobody else may enter; it is removed with all that is in it.
class ScratchRoot {
 public:
  explicit ScratchRoot(const std::string& directory) : path_(directory + "/rdmastate-netplan-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError("making a directory in " + directory, errno);
  }
  ScratchRoot(const ScratchRoot&) = delete;
  ScratchRoot& operator=(const ScratchRoot&) = delete;
  ~ScratchRoot() {
    std::error_code ignored;  // /run is gone with the next boot anyway
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Makes the directory and those above it.
void make_directories(Files& files, std::string_view path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string above(path.substr(0, slash));
    if (!files.meta(above)) files.replace(above, {{FileType::directory, private_directory, 0, 0}, {}, {}});
    if (slash == std::string_view::npos) return;
  }
}

// Copies the YAML files of one directory to where netplan finds them below the scratch root.
void copy_yaml(Files& from, Files& to, const std::string& directory) {
  for (const auto& name : from.list(directory)) {
    if (!name.ends_with(".yaml")) continue;
    const std::string path = directory + "/" + name;
    auto text = from.read(path);
    if (!text) continue;
    make_directories(to, directory);
    to.replace(path, {{FileType::regular, private_file, 0, 0}, std::move(*text), {}});
  }
}

// Adds to `all` the regular files of one directory whose paths begin with `beginning`.
void take_files(Files& scratch, std::string_view beginning, GeneratedFiles& all) {
  const std::string directory(beginning.substr(0, beginning.rfind('/')));
  for (const auto& name : scratch.list(directory)) {
    const std::string path = directory + "/" + name;
    if (!path.starts_with(beginning)) continue;
    auto file = scratch.load(path);
    if (!file || file->meta.type != FileType::regular) continue;
    file->xattrs.clear();  // an SELinux label belongs to the scratch root, not to the file's real path
    all.emplace(path, std::move(*file));
  }
}

}  // namespace

bool ProgramNetplan::is_here() { return ::access(netplan_program_path.data(), F_OK) == 0; }

GeneratedFiles ProgramNetplan::generated() {
  constexpr std::chrono::minutes longest{5};
  const ScratchRoot directory(copies_);
  Root root(directory.path());
  RootFiles scratch(root);
  for (const std::string_view one : netplan_directories) copy_yaml(files_, scratch, std::string(one));
  const Ended ended = run_({std::string(netplan_program_path), "generate", "--root-dir", directory.path()}, longest,
                           {systemd_is_left_alone});
  if (ended.status != 0 || ended.ended_after.count() != 0)
    throw Error(fmt::format("netplan generate {}", how_it_ended(ended)));
  GeneratedFiles all;
  for (const std::string_view beginning : {netplan_generated_files, netplan_generated_profiles})
    take_files(scratch, beginning, all);
  return all;
}

}  // namespace rdmastate
