// SPDX-License-Identifier: Apache-2.0
#include "resources/mentions.hpp"

#include <array>

#include "base/error.hpp"

namespace rdmastate {
namespace {

constexpr std::array<std::string_view, 12> directories{
    "/etc/rdma",  "/etc/rdma/modules", "/etc/opensm",  "/etc/infiniband-diags",  "/etc/modprobe.d", "/etc/udev/rules.d",
    "/etc/slurm", "/etc/ucx",          "/etc/openmpi", "/etc/security/limits.d", "/etc/default",    "/etc/sysconfig"};
constexpr std::array<std::string_view, 3> single_files{"/etc/nccl.conf", "/etc/srp_daemon.conf", "/etc/environment"};
constexpr std::string_view ours = "rdmastate";

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// mlx4_1 is not said by mlx4_10.
bool says(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + name.size();
    if (starts && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

bool mentions(const Snapshot& snapshot, const std::string& path, const std::string& device) {
  try {
    const auto text = snapshot.read(path);
    return text && says(*text, device);
  } catch (const SystemError&) {
    return false;  // a directory, a large file, or one that this user may not read
  }
}

}  // namespace

std::vector<std::string> files_that_mention(const Snapshot& snapshot, const std::string& device) {
  std::vector<std::string> found;
  const auto look = [&](const std::string& path) {
    if (mentions(snapshot, path, device)) found.push_back(path);
  };
  for (const auto directory : directories)
    for (const auto& name : snapshot.list(std::string(directory)))
      if (name.find(ours) == std::string::npos) look(std::string(directory) + "/" + name);
  for (const auto path : single_files) look(std::string(path));
  return found;
}

}  // namespace rdmastate
