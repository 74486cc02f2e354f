// SPDX-License-Identifier: Apache-2.0
// A YAML document as a tree of small values that know where they stand.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "base/report.hpp"
#include "base/text.hpp"

namespace rdmastate::yaml {

/// What a node is. (Not a `Kind`, which is a type of resource.)
enum class NodeType : std::uint8_t {
  scalar,
  list,
  map,
  broken,  ///< something that was reported already; whoever reads it passes over it in silence
};

struct Entry;

/// A value of the document: 32 bytes, copied freely. What it points at lives in a NodeStore, which must outlive it.
class Node {
 public:
  Node() = default;
  /// Each makes a node of that type; what it refers to must live in the NodeStore.
  static Node scalar(Scalar scalar, const Place& place);
  static Node list(std::span<const Node> items, const Place& place);
  static Node map(std::span<const Entry> entries, const Place& place);
  static Node broken(const Place& place);

  NodeType type() const { return type_; }
  /// Of a scalar or a collection in brackets its first character; of any other collection its first child's.
  Place place() const { return {source_, line_, column_, width_}; }
  /// An empty value is the plain scalar "", which is null.
  bool is_null() const { return type_ == NodeType::scalar && core_type(as_scalar()) == CoreType::null; }

  Scalar as_scalar() const;                ///< empty for all but a scalar
  std::span<const Node> items() const;     ///< empty for all but a list
  std::span<const Entry> entries() const;  ///< empty for all but a map; in the order of the source
  /// The entry with that key; nullptr where there is none, or where this is no map.
  const Entry* find(std::string_view key) const;
  /// The value of find()'s entry; nullptr where that is nullptr.
  const Node* value(std::string_view key) const;

 private:
  Node(NodeType type, const void* data, std::size_t size, const Place& place);

  const void* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t line_ = 0;
  std::uint32_t column_ = 0;
  std::uint32_t width_ = 0;
  std::uint16_t source_ = 0;
  NodeType type_ = NodeType::broken;
  bool plain_ = true;
};

/// A key of a map and its value.
struct Entry {
  Node key;  ///< a scalar
  Node value;
};

/// Where the arrays and texts of nodes live; all are freed together.
class NodeStore {
 public:
  explicit NodeStore(std::string bytes = {}) : bytes_(std::move(bytes)) {}
  /// The document itself: texts that stand in it as they are need no copy.
  std::string_view bytes() const { return bytes_; }
  /// Copies into the store; the result lives as long as the store.
  std::string_view keep(std::string_view text);
  /// The same for arrays of nodes and of entries.
  std::span<const Node> keep(std::span<const Node> nodes);
  std::span<const Entry> keep(std::span<const Entry> entries);

 private:
  std::string bytes_;
  std::pmr::monotonic_buffer_resource memory_;
};

/// A parsed file: the root, and the store that owns everything below it.
struct Document {
  std::unique_ptr<NodeStore> store;
  Node root;
};

/// Where a mistake in an entry's value is best shown: the key, where the value is a list or map that begins in another
/// line; else the value's place, which for nothing at all is the key's (Builder::empty_place).
Place place_of(const Entry& entry);

/// The place of the deepest node that there is on the path "ipoib[1].ipv4.addresses[0]". Where the rest of the path is
/// missing, that is the key of the record that lacks it. For Report::locate.
Place place_of(const Node& root, std::string_view path);

}  // namespace rdmastate::yaml
