// SPDX-License-Identifier: Apache-2.0
// Tables of the keys in a keyfile of NetworkManager (nm-settings-keyfile(5)) and of the field of a spec that each key
// stands for. keyfile.hpp uses them to write a keyfile, to read one, and to put a spec's values into a foreign one.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sections/ipoib/backends/profile.hpp"

namespace rdmastate {

/// A key of [infiniband] and the field of the record that it stands for. Where `print` gives an empty text, the file
/// has no such line. `take` reads a line's value into the record.
struct KeyfileLinkKey {
  std::string_view key;
  std::string_view field;
  std::string (*print)(const IpoibRecord&);
  void (*take)(const std::string&, IpoibRecord&);
};

/// A key of [ipv4] and [ipv6] and the field of the block that it stands for. `print` gives the value of each line, and
/// `take` reads the value of one line into the block. Where `is_numbered`, the keys of the lines are `key` and a
/// number: address1, address2.
template <class Block>
struct KeyfileKey {
  std::string_view key;
  std::string_view field;
  bool is_numbered;
  std::vector<std::string> (*print)(const Block&, Family);
  void (*take)(const std::string&, Family, Block&);
};

/// The keys of [infiniband], in the order in which they are written.
std::span<const KeyfileLinkKey> keyfile_link_keys();
/// The keys of [ipv4] (Ipv4Block) or [ipv6] (Ipv6Block), in the order in which they are written.
template <class Block>
std::span<const KeyfileKey<Block>> keyfile_keys();

/// Whether a line's key is this row's.
template <class Block>
bool is_row_of(const KeyfileKey<Block>& row, std::string_view key);

/// Keys of [connection] that make an interface a port of a bond or bridge (nm-settings(5); the first two are one key's
/// names, as are the other two).
inline constexpr std::array<std::string_view, 4> keyfile_port_keys{"controller", "master", "port-type", "slave-type"};

/// Whether a key of [connection] is one of them.
bool is_port_key(std::string_view key);

/// Every key that stands for a field, as "section.key", with # for a number at its end: "ipv4.address#". For
/// sentence_on_other_keys().
std::vector<std::string> known_keyfile_keys();

/// The field of a record that says a profile's property ("ipv4.addresses" of ipv4.address1); empty where none does.
std::string field_of_keyfile(const ProfileProperty& one);
/// A text as a keyfile has it, where a backslash begins an escape.
std::string keyfile_text(std::string_view text);

}  // namespace rdmastate
