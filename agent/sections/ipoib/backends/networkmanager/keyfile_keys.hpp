// SPDX-License-Identifier: Apache-2.0
// One table says which keys of a keyfile stand for which fields: what prints a profile, reads one and lays a spec over
// one walks it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// A key of [infiniband] and its field of the record. An empty text is no line.
struct KeyfileLinkKey {
  std::string_view key;
  std::string_view field;
  std::string (*print)(const IpoibRecord&);
  void (*take)(const std::string&, IpoibRecord&);
};

/// A key of [ipv4] and [ipv6] and its field of the block: of a list the key without its number, and one text for each.
template <class Block>
struct KeyfileKey {
  std::string_view key;
  std::string_view field;
  bool is_numbered;
  std::vector<std::string> (*print)(const Block&, Family);
  void (*take)(const std::string&, Family, Block&);
};

/// The keys of the sections about the link, in the order in which they are written.
std::span<const KeyfileLinkKey> keyfile_link_keys();
/// Of an Ipv4Block or an Ipv6Block.
template <class Block>
std::span<const KeyfileKey<Block>> keyfile_keys();

/// Whether a line's key is this row's.
template <class Block>
bool is_row_of(const KeyfileKey<Block>& row, std::string_view key);

/// Every key that stands for a field, as unsaid() wants them: "ipv4.address#".
std::vector<std::string> known_keyfile_keys();

}  // namespace rdmastate
