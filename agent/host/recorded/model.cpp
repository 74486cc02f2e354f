// SPDX-License-Identifier: Apache-2.0
#include "host/recorded/model.hpp"

#include <algorithm>

namespace rdmastate {

HostModel::HostModel() = default;
HostModel::HostModel(const HostModel& other) = default;
HostModel::HostModel(HostModel&& other) noexcept = default;
HostModel& HostModel::operator=(const HostModel& other) = default;
HostModel& HostModel::operator=(HostModel&& other) noexcept = default;
HostModel::~HostModel() = default;

RecordedLink* HostModel::find(std::uint32_t index) {
  const auto found = links.find(index);
  return found == links.end() ? nullptr : &found->second;
}

RecordedLink* HostModel::find(std::string_view name) {
  const auto found =
      std::find_if(links.begin(), links.end(), [&](const auto& one) { return one.second.link.name == name; });
  return found == links.end() ? nullptr : &found->second;
}

RecordedLink& HostModel::add(RecordedLink link) {
  if (link.link.index == 0) link.link.index = next_index;
  next_index = std::max(next_index, link.link.index + 1);
  return links.insert_or_assign(link.link.index, std::move(link)).first->second;
}

void add_parents(std::map<std::string, FileContent>& files) {
  FileContent directory;
  directory.meta = {FileType::directory, 0755, 0, 0};
  std::vector<std::string> missing{"/"};
  for (const auto& [path, file] : files)
    for (std::size_t slash = path.rfind('/'); slash != 0 && slash != std::string::npos;
         slash = path.rfind('/', slash - 1))
      missing.push_back(path.substr(0, slash));
  for (const auto& path : missing) files.try_emplace(path, directory);
}

}  // namespace rdmastate
