// SPDX-License-Identifier: Apache-2.0
#include "sections/ipoib/asked_mtu.hpp"

#include <algorithm>

#include "platform/layout.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "resources/link_id.hpp"
#include "sections/adopt.hpp"
#include "sections/boot_file.hpp"
#include "sections/ipoib/check.hpp"

namespace rdmastate {
namespace {

void add(std::vector<AskedMtu>& asked, AskedMtu one) {
  if (std::none_of(asked.begin(), asked.end(), [&](const auto& other) { return other.interface == one.interface; }))
    asked.push_back(std::move(one));
}

// Of the links of boot.json, those too that rdmastate only awaits from their owner.
void add_of_boot_file(const Snapshot& snapshot, std::vector<AskedMtu>& asked) {
  constexpr std::size_t first_line = 2;  // line 1 is the file's head
  const std::string path(common_layout().boot_file);
  const auto text = snapshot.read(path);
  if (!text) return;
  const auto wanted = desired_from_boot_file(*text).wanted;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].kind != &ipoib_link_kind || !wanted[i].state) continue;
    const auto mtu = wanted[i].state->as<IpoibLink>().mtu;
    const Link* link = mtu ? find_link(snapshot, link_id_from(wanted[i].key)) : nullptr;
    if (link != nullptr) add(asked, {link->name, *mtu, place_of(path, i + first_line)});
  }
}

// What adopt() takes from a file and not from the interface as it is.
void add_of_others(const Snapshot& snapshot, const Facts& facts, std::vector<AskedMtu>& asked) {
  const Adopted adopted = adopt(snapshot, facts);
  const auto& records = adopted.spec.ipoib;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto source =
        std::find_if(adopted.sources.begin(), adopted.sources.end(),
                     [path = ipoib_path(i, "mtu")](const FieldSource& one) { return one.path == path; });
    if (!records[i].mtu || source == adopted.sources.end() || !source->source.starts_with('/')) continue;
    add(asked, {records[i].interface_name(), *records[i].mtu, source->source});
  }
}

}  // namespace

std::vector<AskedMtu> asked_mtus(const Snapshot& snapshot, const Facts& facts) {
  std::vector<AskedMtu> asked;
  add_of_boot_file(snapshot, asked);
  add_of_others(snapshot, facts, asked);
  return asked;
}

}  // namespace rdmastate
