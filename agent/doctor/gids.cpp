// SPDX-License-Identifier: Apache-2.0
#include "doctor/gids.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace rdmastate::doctor {
namespace {

// The kernel fills free entries from the beginning of the table: after so many free entries in a row, no more are in
// use.
constexpr unsigned unused_to_stop_at = 32;
constexpr std::string_view unused = "0000:0000:0000:0000:0000:0000:0000:0000";

std::optional<IpAddress> address_from(const std::string& text) {
  IpAddress address;
  if (text == unused || Text<IpAddress>::read({text, false}, address)) return std::nullopt;
  constexpr std::size_t v4_at = 12;
  constexpr std::array<std::uint8_t, v4_at> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (address.family != rdmastate::Family::v6 || !std::equal(mapped.begin(), mapped.end(), address.bytes.begin()))
    return address;
  IpAddress v4;
  v4.family = rdmastate::Family::v4;
  std::copy(address.bytes.begin() + v4_at, address.bytes.end(), v4.bytes.begin());
  return v4;
}

}  // namespace

std::vector<Gid> gids_of(Examination& look, const RdmaDevice& device, const RdmaPort& port) {
  const std::string path = sysfs_of(device, port);
  std::vector<Gid> gids;
  bool is_shown = false;
  for (unsigned index = 0, free = 0; free < unused_to_stop_at; ++index) {
    const auto text = look.text(fmt::format("{}gids/{}", path, index));
    is_shown = is_shown || text;
    const auto address = address_from(text.value_or(""));
    free = address ? 0 : free + 1;
    if (!address) continue;
    const auto type = look.text(fmt::format("{}gid_attrs/types/{}", path, index)).value_or("");
    gids.push_back({index, *address, type == kernel_word(RoceMode::v2) ? RoceMode::v2 : RoceMode::v1});
  }
  if (!is_shown) look.unseen(path + "gids", "no entry of the table is shown");
  return gids;
}

std::optional<unsigned> usual_index(const std::vector<Gid>& gids) {
  for (const auto& gid : gids)
    if (gid.type == RoceMode::v2 && gid.address.family == rdmastate::Family::v4) return gid.index;
  return std::nullopt;
}

FilePlaces gid_places() {
  FilePlaces places =
      whole_files({"/sys/class/infiniband/*/ports/*/gid_attrs/types/*", "/sys/class/infiniband/*/node_type"});
  places.push_back({"/sys/class/infiniband/*/ports/*/gids/*", [](const FileToKeep& file) {
                      return Kept{file.text.starts_with(unused) ? Kept::How::nothing : Kept::How::whole};
                    }});
  return places;
}

}  // namespace rdmastate::doctor
