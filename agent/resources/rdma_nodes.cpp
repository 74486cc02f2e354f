// SPDX-License-Identifier: Apache-2.0
#include "resources/rdma_nodes.hpp"

#include <fmt/format.h>

#include <set>

#include "base/error.hpp"
#include "host/recorded/model.hpp"

namespace rdmastate {
namespace {

constexpr std::string_view nodes = "/dev/infiniband/";
constexpr std::string_view gone = " (deleted)";  // d_path(), fs/d_path.c

std::string directory_of(std::uint32_t pid) { return fmt::format("/proc/{}/fd", pid); }

// The links of the process to nodes that are there, by path; nullopt as of rdma_nodes_of().
std::optional<std::map<std::string, FileContent>> links_of(const Snapshot& snapshot, std::uint32_t pid) try {
  const std::string directory = directory_of(pid);
  if (pid == 0 || !snapshot.exists(directory)) return std::nullopt;
  std::map<std::string, FileContent> links;
  for (const auto& name : snapshot.list(directory)) {
    const std::string path = directory + "/" + name;
    const auto& link = snapshot.file(path);  // a file that was closed meanwhile is nullopt
    if (link && link->bytes.starts_with(nodes) && !link->bytes.ends_with(gone)) links.emplace(path, *link);
  }
  return links;
} catch (const SystemError&) {
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::string>> rdma_nodes_of(const Snapshot& snapshot, std::uint32_t pid) {
  const auto links = links_of(snapshot, pid);
  if (!links) return std::nullopt;
  std::set<std::string> names;
  for (const auto& [path, link] : *links) names.insert(link.bytes.substr(nodes.size()));
  return std::vector<std::string>(names.begin(), names.end());
}

void keep_rdma_nodes(const Snapshot& snapshot, std::uint32_t pid, HostModel& model) {
  const auto links = links_of(snapshot, pid);
  if (!links) return;
  model.files.insert_or_assign(directory_of(pid), FileContent{{FileType::directory, 0500, 0, 0}, {}, {}});
  for (const auto& [path, link] : *links) model.files.insert_or_assign(path, link);
}

}  // namespace rdmastate
