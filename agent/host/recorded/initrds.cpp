// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/initrds.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <sstream>
#include <vector>

#include "base/sha256.hpp"

namespace rdmastate {
namespace {

// A program copies the files right in this directory whose names end so.
struct Copied {
  std::string_view directory;
  std::string_view suffix;
};

// What mkinitramfs (initramfs-tools 0.142) and the hook of udev (systemd 252) copy.
constexpr std::array by_initramfs_tools{Copied{"/etc/modprobe.d/", ".conf"}, Copied{"/etc/systemd/network/", ".link"},
                                        Copied{"/etc/udev/rules.d/", ".rules"}};
// What dracut's modules kernel-modules, systemd and network-manager copy with hostonly=yes, and its module rdma always.
constexpr std::array by_dracut{Copied{"/etc/modprobe.d/", ".conf"}, Copied{"/etc/systemd/network/", ".link"},
                               Copied{"/etc/modules-load.d/", ".conf"}, Copied{"/etc/rdma/", "mlx4.conf"}};

template <class Table>
bool is_copied(const Table& table, std::string_view path) {
  return std::any_of(table.begin(), table.end(), [&](const Copied& one) {
    return path.starts_with(one.directory) && path.ends_with(one.suffix) &&
           path.find('/', one.directory.size()) == std::string_view::npos;
  });
}

// What dracut.conf(5) says on this host, as these hosts write it: hostonly, and patterns of files that are copied in
// any case.
struct Dracut {
  explicit Dracut(const HostModel& model) : hostonly(!model.files.contains("/usr/lib/dracut/dracut-version.sh")) {
    for (const auto& [name, text] : files(model)) read(text);
  }

  bool copies(const std::string& path) const {
    const bool by_item = std::any_of(items.begin(), items.end(), [&](const std::string& item) {
      return ::fnmatch(item.c_str(), path.c_str(), FNM_PATHNAME) == 0;
    });
    return by_item || (is_copied(by_dracut, path) && (hostonly || path.starts_with("/etc/rdma/")));
  }

 private:
  // By name; of one name that of /etc, which is the first in the model too.
  static std::map<std::string, std::string> files(const HostModel& model) {
    std::map<std::string, std::string> found;
    for (const auto& [path, file] : model.files)
      if (path.find("/dracut.conf.d/") != std::string::npos && path.ends_with(".conf"))
        found.emplace(path.substr(path.rfind('/')), file.bytes);
    return found;
  }

  void read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("hostonly=")) hostonly = line.find("yes") != std::string::npos;
      if (!line.starts_with("install_")) continue;
      std::istringstream words(line.substr(line.find('"') + 1));
      for (std::string word; words >> word;) items.push_back(word);
    }
  }

  bool hostonly;
  std::vector<std::string> items;
};

bool is_image(const FileContent& file) {
  return file.meta.type == FileType::regular && file.bytes.starts_with(initrd_head);
}

// Whether the image has the file with the bytes that it has on the disk.
bool holds(const FileContent& image, const std::string& path, const FileContent& file) {
  return image.bytes.find("\n" + path + " " + sha256_hex(file.bytes) + "\n") != std::string::npos;
}

// By /proc/self/mounts: of several mounts on one directory the last counts. False where the record has no such file.
bool is_read_only(const HostModel& model, std::string_view directory) {
  const auto mounts = model.files.find("/proc/self/mounts");
  if (mounts == model.files.end()) return false;
  std::istringstream lines(mounts->second.bytes);
  bool read_only = false;
  for (std::string line; std::getline(lines, line);)
    if (line.find(" " + std::string(directory) + " ") != std::string::npos)
      read_only = line.find(" ro,") != std::string::npos || line.find(" ro ") != std::string::npos;
  return read_only;
}

}  // namespace

std::string initrds::image_of(const HostModel& model, InitrdProgram program) {
  std::string bytes(initrd_head);
  const Dracut dracut(model);
  const auto copies = [&](const std::string& path) {
    return program == InitrdProgram::dracut ? dracut.copies(path) : is_copied(by_initramfs_tools, path);
  };
  for (const auto& [path, file] : model.files)
    if (file.meta.type == FileType::regular && path.find("/.") == std::string::npos && copies(path))
      bytes += path + " " + sha256_hex(file.bytes) + "\n";
  return bytes;
}

std::map<std::string, std::int64_t> initrds::times_of(const HostModel& model) {
  constexpr std::int64_t newer = 1;
  constexpr std::int64_t newest = 2;
  std::map<std::string, std::int64_t> times;
  for (const auto& [path, image] : model.files) {
    if (!is_image(image)) continue;
    times[path] = newest;
    for (const auto& [other, file] : model.files) {
      // dracut's list for images of either program: it has all files that the kind `initrd` looks for in images.
      const bool is_input = file.meta.type == FileType::regular && is_copied(by_dracut, other);
      if (!is_input || holds(image, other, file)) continue;
      times[path] = 0;
      times[other] = newer;
    }
  }
  return times;
}

void RecordedInitrds::rebuild(InitrdProgram program, const std::string& release, const std::string& image) {
  log_.move("making " + image + " with " + path_of(program), [&] {
    for (const auto& needed : {image, std::string(path_of(program)), "/lib/modules/" + release})
      if (!files_.meta(needed)) throw Refusal{ENOENT};
    if (is_read_only(model_, "/") || is_read_only(model_, "/boot")) throw Refusal{EROFS};
    files_.put(image, {{FileType::regular, 0600, 0, 0}, initrds::image_of(model_, program), {}});
  });
}

}  // namespace rdmastate
