// SPDX-License-Identifier: Apache-2.0
#include "yaml/node.hpp"

#include <algorithm>

#include "base/path.hpp"

namespace rdmastate::yaml {
namespace {

template <class T>
std::span<const T> kept(std::pmr::memory_resource& memory, std::span<const T> values) {
  if (values.empty()) return {};
  auto* copy = static_cast<T*>(memory.allocate(values.size_bytes(), alignof(T)));
  std::uninitialized_copy(values.begin(), values.end(), copy);
  return {copy, values.size()};
}

struct Found {
  const Node* node;
  Place place;
};

// One step down the path; null where it leads nowhere.
Found step_down(const Node& node, const PathStep& step, const Place& from) {
  if (step.index) {
    if (*step.index >= node.items().size()) return {nullptr, from};
    const Node& item = node.items()[*step.index];
    return {&item, item.place()};
  }
  const Entry* entry = node.find(step.key);
  return entry == nullptr ? Found{nullptr, from} : Found{&entry->value, place_of(*entry)};
}

}  // namespace

Node::Node(NodeType type, const void* data, std::size_t size, const Place& place)
    : data_(data),
      size_(static_cast<std::uint32_t>(size)),
      line_(place.line),
      column_(place.column),
      width_(place.width),
      source_(static_cast<std::uint16_t>(place.source)),
      type_(type) {}

Node Node::scalar(Scalar scalar, const Place& place) {
  Node node(NodeType::scalar, scalar.text.data(), scalar.text.size(), place);
  node.plain_ = scalar.plain;
  return node;
}

Node Node::list(std::span<const Node> items, const Place& place) {
  return {NodeType::list, items.data(), items.size(), place};
}

Node Node::map(std::span<const Entry> entries, const Place& place) {
  return {NodeType::map, entries.data(), entries.size(), place};
}

Node Node::broken(const Place& place) { return {NodeType::broken, nullptr, 0, place}; }

Scalar Node::as_scalar() const {
  if (type_ != NodeType::scalar) return {};
  return {{static_cast<const char*>(data_), size_}, plain_};
}

std::span<const Node> Node::items() const {
  if (type_ != NodeType::list) return {};
  return {static_cast<const Node*>(data_), size_};
}

std::span<const Entry> Node::entries() const {
  if (type_ != NodeType::map) return {};
  return {static_cast<const Entry*>(data_), size_};
}

const Entry* Node::find(std::string_view key) const {
  const auto all = entries();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Entry& e) { return e.key.as_scalar().text == key; });
  return found == all.end() ? nullptr : &*found;
}

const Node* Node::value(std::string_view key) const {
  const Entry* entry = find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

std::string_view NodeStore::keep(std::string_view text) {
  const auto copy = kept(memory_, std::span<const char>(text.data(), text.size()));
  return {copy.data(), copy.size()};
}
std::span<const Node> NodeStore::keep(std::span<const Node> nodes) { return kept(memory_, nodes); }
std::span<const Entry> NodeStore::keep(std::span<const Entry> entries) { return kept(memory_, entries); }

Place place_of(const Entry& entry) {
  const Place key = entry.key.place();
  const Place value = entry.value.place();
  const bool below = value.source == key.source && value.line != key.line;
  return below && entry.value.type() != NodeType::scalar ? key : value;
}

Place place_of(const Node& root, std::string_view path) {
  const Node* node = &root;
  Place place = root.place();
  while (!path.empty()) {
    const auto step = next_step(path);
    if (!step) break;
    const Found found = step_down(*node, *step, place);
    if (found.node == nullptr) break;
    node = found.node;
    place = found.place;
  }
  return place;
}

}  // namespace rdmastate::yaml
