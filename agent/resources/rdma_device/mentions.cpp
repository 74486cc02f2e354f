// SPDX-License-Identifier: Apache-2.0
#include "resources/rdma_device/mentions.hpp"

#include <array>

#include "base/error.hpp"
#include "base/lines.hpp"
#include "host/facts.hpp"

namespace rdmastate {
namespace {

constexpr std::array<std::string_view, 12> directories{
    "/etc/rdma",  "/etc/rdma/modules", "/etc/opensm",  "/etc/infiniband-diags",  "/etc/modprobe.d", "/etc/udev/rules.d",
    "/etc/slurm", "/etc/ucx",          "/etc/openmpi", "/etc/security/limits.d", "/etc/default",    "/etc/sysconfig"};
constexpr std::array<std::string_view, 3> single_files{"/etc/nccl.conf", "/etc/srp_daemon.conf", "/etc/environment"};
// In the names of rdmastate's own files, which are left out. Files without it that rdmastate also writes, such as
// /etc/rdma/mlx4.conf, are searched.
constexpr std::string_view ours = "rdmastate";

bool mentions(const Snapshot& snapshot, const std::string& path, const std::string& device) {
  try {
    const auto text = snapshot.read(path);
    return text && has_word(*text, device);
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

// Of each file that rdmastate did not render, a record keeps only the devices' names, as comments: "#" begins one in
// all of these files.
FilePlaces places_of_mentions() {
  const auto keep = [](const FileToKeep& file) {
    std::string said;
    for (const auto& device : file.facts.devices)
      if (has_word(file.text, device.name)) said += "# " + device.name + "\n";
    return kept_part(std::move(said));
  };
  FilePlaces places;
  for (const auto directory : directories) places.push_back({std::string(directory) + "/*", keep});
  for (const auto path : single_files) places.push_back({std::string(path), keep});
  return places;
}

}  // namespace rdmastate
