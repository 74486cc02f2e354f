// SPDX-License-Identifier: Apache-2.0
#include "resources/unit/on_disk.hpp"

#include <fmt/format.h>

#include "host/ordered_files.hpp"
#include "platform/read_order.hpp"

namespace rdmastate {

std::string found_unit(const Snapshot& snapshot, std::string_view unit) {
  const std::string path = path_that_counts(snapshot, unit_directories, std::string(unit));
  const std::string of = template_of(unit);
  return path.empty() && !of.empty() ? found_unit(snapshot, of) : path;
}

std::map<std::string, std::string> links_that_start(const Snapshot& snapshot, std::string_view unit) {
  std::map<std::string, std::string> links;
  for (const auto directory : unit_directories)
    for (const auto& name : snapshot.list(std::string(directory))) {
      if (!name.ends_with(".wants") && !name.ends_with(".requires")) continue;
      const std::string link = fmt::format("{}/{}/{}", directory, name, unit);
      if (snapshot.exists(link) && !is_masking(snapshot, link)) links.emplace(link, snapshot.file(link)->bytes);
    }
  return links;
}

FilePlaces unit_places(std::string_view unit) {
  FilePlaces places;
  for (const auto directory : unit_directories) {
    for (const char* links : {"wants", "requires"})
      places.push_back({fmt::format("{}/*.{}/{}", directory, links, unit)});
    places.push_back({fmt::format("{}/{}", directory, unit)});
  }
  return places;
}

}  // namespace rdmastate
