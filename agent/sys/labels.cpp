// SPDX-License-Identifier: Apache-2.0
#include "sys/labels.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "sys/dynamic.hpp"
#include "sys/xattrs.hpp"

namespace rdmastate {
namespace {

constexpr std::size_t most_bytes = 4096;          // of a label: the kernel has no longer one
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

// selabel_open(3) of that file; nullptr: it is not there. `shown` is for messages.
void* opened(const Selinux& selinux, const std::string& path, const std::string& shown) {
  const SelinuxOption option{option_path, path.c_str()};
  void* policy = selinux.open(files_labels, &option, 1);
  if (policy == nullptr && errno != ENOENT) throw SystemError("reading " + shown, errno);
  return policy;
}

}  // namespace

std::string with_type_of(const std::string& label, const std::string& policy) {
  const auto type_in = [](const std::string& text) {
    std::size_t from = text.find(':');
    if (from != std::string::npos) from = text.find(':', from + 1);
    if (from == std::string::npos) return std::pair(from, from);
    ++from;
    return std::pair(from, std::min(text.find(':', from), text.size()) - from);
  };
  const auto [at, length] = type_in(label);
  const auto [from, size] = type_in(policy);
  if (at == std::string::npos || from == std::string::npos) return label;
  return std::string(label).replace(at, length, policy, from, size);
}

bool may_lack_label(int error, LabelsOf of) {
  return error == ENOTSUP || error == EPERM || error == EACCES || (error == EINVAL && of == LabelsOf::this_host);
}

PolicyLabels::~PolicyLabels() {
  if (policy_.value_or(nullptr) != nullptr) selinux_functions()->close(*policy_);
}

// Of a tree rdmastate reads the policy beneath the root, and libselinux reads a copy of that in memory. So no link of
// the tree leads libselinux out of the tree. Nor does it find a compiled policy (file_contexts.bin) beside the copy,
// which it would use in place of the text. On this host libselinux reads all files of the policy, such as
// file_contexts.subs_dist.
void* PolicyLabels::open_policy() const {
  const std::string name = policy_of(root_);
  if (name.empty() || name.find('/') != std::string::npos) return nullptr;
  const std::string path = "/etc/selinux/" + name + "/contexts/files/file_contexts";
  const UniqueFd there = root_.open(path, O_PATH);
  const Selinux* selinux = there ? selinux_functions() : nullptr;
  if (selinux == nullptr) return nullptr;
  if (of_ == LabelsOf::this_host) return opened(*selinux, root_.shown(path), root_.shown(path));
  const auto contexts = root_.read(path, policy_limit);
  if (!contexts) return nullptr;
  const UniqueFd memory{::memfd_create("file_contexts", MFD_CLOEXEC)};
  if (!memory) throw SystemError("reading " + root_.shown(path), errno);
  write_all(memory.get(), *contexts + "\n" + root_.read(path + ".local", policy_limit).value_or(""), path);
  const std::string self = "/proc/self/fd/" + std::to_string(memory.get());
  return opened(*selinux, self, root_.shown(path));
}

std::optional<std::string> PolicyLabels::label_of(const std::string& path, mode_t mode) {
  if (!policy_) policy_ = open_policy();
  char* text = nullptr;
  if (*policy_ == nullptr || selinux_functions()->lookup(*policy_, &text, path.c_str(), static_cast<int>(mode)) != 0)
    return std::nullopt;
  std::string label = text;
  std::free(text);
  return label;
}

void PolicyLabels::give(int fd, const std::string& path, const std::string& doing) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw SystemError(doing, errno);
  const std::string key{selinux_label};
  const std::string self = "/proc/self/fd/" + std::to_string(fd);  // works for O_PATH, and for a symlink itself
  std::array<char, most_bytes> buffer{};
  const ssize_t got = ::getxattr(self.c_str(), key.c_str(), buffer.data(), buffer.size() - 1);
  if ((got >= 0) != (of_ == LabelsOf::this_host)) return;
  auto label = label_of(path, status.st_mode);
  if (!label) return;
  if (got >= 0) {
    const std::string present = buffer.data();
    label = with_type_of(present, *label);
    if (*label == present) return;
  }
  if (::setxattr(self.c_str(), key.c_str(), label->c_str(), label->size() + 1, 0) == 0) return;
  if (!may_lack_label(errno, of_)) throw SystemError(doing + " (its attribute " + key + ")", errno);
}

}  // namespace rdmastate
