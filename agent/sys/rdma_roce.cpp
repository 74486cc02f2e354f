// SPDX-License-Identifier: Apache-2.0
// Reads the RoCE modes of a port's GIDs in sysfs (roce_modes), and reads and sets rdma_cm's defaults of a port in
// configfs (the other calls, through CmaDirectory). A program that wants to see a device in configfs makes the device's
// directory. The values belong to the device and stay when the directory is removed, so rdmastate makes it for one look
// and removes it.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/error.hpp"
#include "sys/rdma.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t attribute_limit = 4096;  // the most bytes that are read of one file
/// How often a call looks into a device's directory: another process may remove a directory that it has made while
/// rdmastate looks into it.
constexpr int most_looks = 3;

/// Mounts configfs, which is one file system however often it is mounted. This mount is attached to no directory and
/// ends with its handle. An empty handle, with errno, where that fails.
UniqueFd own_mount() {
  const UniqueFd context{static_cast<int>(::syscall(SYS_fsopen, "configfs", FSOPEN_CLOEXEC))};
  if (!context || ::syscall(SYS_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) return {};
  return UniqueFd{static_cast<int>(::syscall(SYS_fsmount, context.get(), FSMOUNT_CLOEXEC, 0))};
}

/// The directory of one device in configfs, rdma_cm/DEVICE. The constructor makes it where it is not there, and then
/// the destructor removes it.
class CmaDirectory {
 public:
  CmaDirectory(const Root& root, const std::string& device, std::string doing)
      : name_(device), doing_(std::move(doing)) {
    if (!open_parent(root)) return;
    made_ = ::mkdirat(parent_.get(), name_.c_str(), 0755) == 0;
    is_there_ = made_ || errno == EEXIST;
    if (!is_there_ && errno != ENODEV) throw SystemError(doing_, errno);
    if (is_there_) open_directory();
  }
  ~CmaDirectory() { remove_ours(); }
  CmaDirectory(const CmaDirectory&) = delete;
  CmaDirectory& operator=(const CmaDirectory&) = delete;

  /// false: there is no rdma_cm, or it knows no such device.
  explicit operator bool() const { return is_there_; }
  /// Whether this object has made the directory: then no other process removes it.
  bool is_ours() const { return made_; }

  /// nullopt: there is no such port, or its device is gone.
  std::optional<std::string> read(std::uint32_t port, const char* attribute) const {
    const UniqueFd fd = open(port, attribute, O_RDONLY);
    if (!fd) return std::nullopt;
    try {
      std::string text = read_all(fd.get(), attribute_limit, doing_);
      while (!text.empty() && text.back() == '\n') text.pop_back();
      return text;
    } catch (const SystemError& error) {
      if (error.number() == ENODEV) return std::nullopt;
      throw;
    }
  }

  /// false: there is no such port.
  bool write(std::uint32_t port, const char* attribute, std::string_view value) const {
    const UniqueFd fd = open(port, attribute, O_WRONLY);
    if (!fd) return false;
    const std::string line = std::string(value) + "\n";
    if (uninterrupted([&] { return ::write(fd.get(), line.data(), line.size()); }) < 0)
      throw SystemError(doing_, errno);
    return true;
  }

 private:
  /// Opens rdma_cm's directory, and mounts configfs for that where it is not mounted. false: rdma_cm or configfs is not
  /// loaded.
  bool open_parent(const Root& root) {
    parent_ = root.open("/sys/kernel/config/rdma_cm", O_PATH | O_DIRECTORY);
    if (parent_ || !root.open("/sys/module/rdma_cm", O_PATH | O_DIRECTORY)) return bool(parent_);
    if (!root.open("/sys/kernel/config", O_PATH | O_DIRECTORY)) return false;
    mount_ = own_mount();
    if (!mount_ && errno != ENOSYS && errno != ENODEV) throw SystemError(doing_ + ": opening configfs", errno);
    if (mount_) parent_ = UniqueFd{::openat(mount_.get(), "rdma_cm", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    return bool(parent_);
  }

  // Leaves it closed where another process has removed it meanwhile: then the caller looks again.
  void open_directory() {
    directory_ = UniqueFd{::openat(parent_.get(), name_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (directory_ || errno == ENOENT) return;
    const int number = errno;
    remove_ours();
    throw SystemError(doing_, number);
  }

  void remove_ours() const {
    if (made_) ::unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);
  }

  UniqueFd open(std::uint32_t port, const char* attribute, int flags) const {
    const std::string path = "ports/" + std::to_string(port) + "/" + attribute;
    UniqueFd fd{uninterrupted([&] { return ::openat(directory_.get(), path.c_str(), flags | O_CLOEXEC); })};
    if (!fd && directory_ && errno != ENOENT) throw SystemError(doing_, errno);
    return fd;
  }

  std::string name_;
  std::string doing_;
  UniqueFd mount_;
  UniqueFd parent_;
  UniqueFd directory_;
  bool made_ = false;
  bool is_there_ = false;
};

std::optional<RoceMode> mode_from(std::string_view text) {
  for (const RoceMode mode : {RoceMode::v1, RoceMode::v2})
    if (text == kernel_word(mode)) return mode;
  return std::nullopt;
}

std::optional<RoceDefaults> defaults_in(const CmaDirectory& directory, std::uint32_t port) {
  const auto mode = directory.read(port, "default_roce_mode");
  const auto tos = directory.read(port, "default_roce_tos");
  const auto known = mode_from(mode.value_or(""));
  if (!known || !tos) return std::nullopt;
  return RoceDefaults{*known, static_cast<std::uint32_t>(std::strtoul(tos->c_str(), nullptr, 10))};
}

// `what` is the setting's name, for messages.
void write_default(const Root& root, const std::string& device, std::uint32_t port, const char* attribute,
                   std::string_view value, const char* what) {
  const std::string doing = fmt::format("setting the default {} of {} port {} to {}", what, device, port, value);
  for (int look = 0; look < most_looks; ++look) {
    const CmaDirectory directory(root, device, doing);
    if (!directory) throw SystemError(doing, ENODEV);
    if (directory.write(port, attribute, value)) return;
    if (directory.is_ours()) break;
  }
  throw SystemError(doing, ENOENT);
}

/// The text of one entry of gid_attrs/types. Empty for an unused entry (EINVAL); at the table's end (ENOENT) `there`
/// becomes false.
std::string gid_type_at(const UniqueFd& table, std::uint32_t index, bool& there) {
  const UniqueFd fd{::openat(table.get(), std::to_string(index).c_str(), O_RDONLY | O_CLOEXEC)};
  there = bool(fd);
  std::string text(attribute_limit, '\0');
  const ssize_t got = there ? ::read(fd.get(), text.data(), text.size()) : 0;
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::optional<RoceDefaults> KernelRdma::roce_defaults(const std::string& device, std::uint32_t port) {
  for (int look = 0; look < most_looks; ++look) {
    const CmaDirectory directory(root_, device, "asking rdma_cm for its defaults on " + device);
    if (!directory) break;
    const auto found = defaults_in(directory, port);
    if (found || directory.is_ours()) return found;
  }
  return std::nullopt;
}

std::vector<RoceMode> KernelRdma::roce_modes(const std::string& device, std::uint32_t port) {
  std::vector<RoceMode> modes;
  const std::string path = "/sys/class/infiniband/" + device + "/ports/" + std::to_string(port) + "/gid_attrs/types";
  const UniqueFd table = root_.open(path, O_PATH | O_DIRECTORY);
  bool there = bool(table);
  for (std::uint32_t index = 0; there && modes.size() < Names<RoceMode>::table.size(); ++index) {
    const auto mode = mode_from(gid_type_at(table, index, there));
    if (mode && std::find(modes.begin(), modes.end(), *mode) == modes.end()) modes.push_back(*mode);
  }
  std::sort(modes.begin(), modes.end());
  return modes;
}

void KernelRdma::set_roce_mode(const std::string& device, std::uint32_t port, RoceMode mode) {
  write_default(root_, device, port, "default_roce_mode", kernel_word(mode), "RoCE mode");
}

void KernelRdma::set_roce_tos(const std::string& device, std::uint32_t port, std::uint32_t tos) {
  write_default(root_, device, port, "default_roce_tos", std::to_string(tos), "ToS");
}

}  // namespace rdmastate
