// SPDX-License-Identifier: Apache-2.0
#include "resources/openibd.hpp"

#include <fmt/format.h>

#include "platform/ofed.hpp"

namespace rdmastate {

std::string openib_text(const Facts& facts, const Snapshot& snapshot) {
  if (facts.stack != "ofed") return {};
  const std::string path(openib_conf);
  const auto& file = snapshot.file(path);  // kept: several items ask
  if (file && file->meta.type == FileType::regular) return file->bytes;
  return snapshot.read(path).value_or("");  // follows a symlink
}

// A restart of openibd, which every update of OFED makes, unloads the whole stack and loads what the file says.
std::string left_out_by_openibd(std::string_view text, std::string_view module) {
  const std::string_view key = openib_key(module);
  if (key.empty() || openib_value(text, key) != "no") return {};
  return fmt::format(
      "openibd unloads {0} with the other drivers whenever it is restarted, and leaves it out then, since {1} says {2}=no: "
      "write {2}=yes there",
      module, openib_conf, key);
}

std::string connected_by_openibd(std::string_view text, std::string_view interface) {
  if (openib_value(text, "SET_IPOIB_CM") != "yes") return {};
  return fmt::format(
      "openibd sets every IPoIB interface to connected mode when it starts, since {} says SET_IPOIB_CM=yes, so {} does not "
      "stay in datagram mode: write SET_IPOIB_CM=no there",
      openib_conf, interface);
}

}  // namespace rdmastate
