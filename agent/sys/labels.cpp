// SPDX-License-Identifier: Apache-2.0
#include "sys/labels.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <cerrno>
#include <cstdlib>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "sys/dynamic.hpp"
#include "sys/xattrs.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t policy_limit = 16U << 20U;  // the most bytes that are read of one file

// selabel_open(3). Declared here, so that a build does not need libselinux's headers for three functions.
struct SelinuxOption {
  int type;
  const char* value;
};
constexpr unsigned files_labels = 0;  // SELABEL_CTX_FILE
constexpr int option_path = 3;        // SELABEL_OPT_PATH

struct Selinux {
  DynamicLibrary library{"libselinux.so.1", "libselinux1 (Debian, Ubuntu, SUSE) or libselinux (RHEL)"};
  void* (*open)(unsigned, const SelinuxOption*, unsigned) = library.function<decltype(open)>("selabel_open");
  int (*lookup)(void*, char**, const char*, int) = library.function<decltype(lookup)>("selabel_lookup_raw");
  void (*close)(void*) = library.function<decltype(close)>("selabel_close");
};

// nullptr: this host has no libselinux.
const Selinux* selinux_functions() {
  try {
    return &dynamic_table<Selinux>();
  } catch (const Error&) {
    return nullptr;
  }
}

// selinux_config(5): the name of the tree's policy; empty where it has none.
std::string policy_of(const Root& root) {
  std::string policy;
  bool is_on = true;
  for_lines(root.read("/etc/selinux/config", policy_limit).value_or(""), [&](std::string_view line) {
    const std::string_view said = trimmed(line);
    if (said.starts_with("SELINUXTYPE=")) policy = trimmed(said.substr(said.find('=') + 1));
    if (said.starts_with("SELINUX=")) is_on = trimmed(said.substr(said.find('=') + 1)) != "disabled";
  });
  return is_on ? policy : std::string();
}

}  // namespace

TreeLabels::~TreeLabels() {
  if (policy_.value_or(nullptr) != nullptr) selinux_functions()->close(*policy_);
}

// rdmastate reads the policy beneath the root, and libselinux reads a copy of that in memory. So no link of the tree
// leads libselinux out of the tree. Nor does it find a compiled policy (file_contexts.bin) beside the copy, which it
// would use in place of the text.
void* TreeLabels::open_policy() const {
  const std::string name = policy_of(root_);
  if (name.empty() || name.find('/') != std::string::npos) return nullptr;
  const std::string path = "/etc/selinux/" + name + "/contexts/files/file_contexts";
  const auto contexts = root_.read(path, policy_limit);
  const Selinux* selinux = contexts ? selinux_functions() : nullptr;
  if (selinux == nullptr) return nullptr;
  const UniqueFd memory{::memfd_create("file_contexts", MFD_CLOEXEC)};
  if (!memory) throw SystemError("reading " + root_.shown(path), errno);
  write_all(memory.get(), *contexts + "\n" + root_.read(path + ".local", policy_limit).value_or(""), path);
  const std::string self = "/proc/self/fd/" + std::to_string(memory.get());
  const SelinuxOption option{option_path, self.c_str()};
  void* policy = selinux->open(files_labels, &option, 1);
  if (policy == nullptr && errno != ENOENT) throw SystemError("reading " + root_.shown(path), errno);
  return policy;
}

std::optional<std::string> TreeLabels::label_of(const std::string& path, mode_t mode) {
  if (!policy_) policy_ = open_policy();
  char* text = nullptr;
  if (*policy_ == nullptr || selinux_functions()->lookup(*policy_, &text, path.c_str(), static_cast<int>(mode)) != 0)
    return std::nullopt;
  std::string label = text;
  std::free(text);
  return label;
}

void TreeLabels::give(int fd, const std::string& path, const std::string& doing) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw SystemError(doing, errno);
  const std::string key{selinux_label};
  const std::string self = "/proc/self/fd/" + std::to_string(fd);  // works for O_PATH, and for a symlink itself
  if (::getxattr(self.c_str(), key.c_str(), nullptr, 0) >= 0) return;
  const auto label = label_of(path, status.st_mode);
  if (!label || ::setxattr(self.c_str(), key.c_str(), label->c_str(), label->size() + 1, 0) == 0) return;
  if (errno != ENOTSUP && errno != EPERM) throw SystemError(doing + " (its attribute " + key + ")", errno);
}

}  // namespace rdmastate
