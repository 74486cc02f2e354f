// SPDX-License-Identifier: Apache-2.0
#include "resources/link_table.hpp"

#include "base/error.hpp"

namespace rdmastate {
namespace {

// The key of by_partition_: the ifindex of a child's parent, and the child's P_Key.
std::uint64_t partition(std::uint32_t parent, PKey pkey) { return std::uint64_t{parent} << 16U | pkey.value; }

// 0 where the map does not have the key: no interface has that ifindex.
template <class Map, class Key>
std::uint32_t index_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? 0 : found->second;
}

}  // namespace

void LinkTable::index(const Link& link) {
  by_name_[link.name] = link.index;
  if (link.is_child() && link.ipoib) {
    by_partition_[partition(link.parent, link.ipoib->pkey)] = link.index;
  } else if (link.is_ipoib()) {
    by_guid_[link.port_guid().value] = link.index;
  }
}

void LinkTable::learn() {
  if (learnt_) return;
  learnt_ = true;
  for (auto& link : host_.links->dump()) {
    index(link);
    links_[link.index] = std::move(link);
  }
}

void LinkTable::forget() {
  learnt_ = false;
  links_.clear();
  by_guid_.clear();
  by_partition_.clear();
  by_name_.clear();
}

void LinkTable::forget(std::uint32_t gone) {
  const auto found = links_.find(gone);
  if (found == links_.end()) return;
  const Link& link = found->second;
  by_name_.erase(link.name);
  if (link.is_child() && link.ipoib) by_partition_.erase(partition(link.parent, link.ipoib->pkey));
  links_.erase(found);  // by_guid_ may keep the index: match() then finds no link
}

void LinkTable::refresh(const std::string& name) {
  auto link = host_.links->find(name);
  if (!link) return;
  if (const auto old = links_.find(link->index); old != links_.end()) by_name_.erase(old->second.name);
  index(*link);
  links_[link->index] = std::move(*link);
}

std::vector<Link> LinkTable::ports_of(std::uint32_t bond) {
  learn();
  std::vector<Link> ports;
  for (const auto& [ifindex, link] : links_)
    if (link.master == bond) ports.push_back(link);
  return ports;
}

const Link* LinkTable::match(const LinkId& id) {
  if (!id.bond.empty()) {
    const auto bond = links_.find(index_in(by_name_, id.bond));
    return bond == links_.end() || !bond->second.is_bond() ? nullptr : &bond->second;
  }
  std::uint32_t parent = 0;
  if (id.guid.value != 0) {
    parent = index_in(by_guid_, id.guid.value);
  } else if (!id.name.empty()) {
    parent = index_in(by_name_, id.name);
  }
  const std::uint32_t ifindex = id.pkey && parent != 0 ? index_in(by_partition_, partition(parent, *id.pkey)) : parent;
  const auto found = links_.find(ifindex);
  return ifindex == 0 || found == links_.end() ? nullptr : &found->second;
}

const Link* LinkTable::find(const LinkId& id) {
  learn();
  return match(id);
}

const Link& LinkTable::require(const LinkId& id) {
  if (const Link* link = find(id)) return *link;
  throw Error("there is no interface for " + to_text(id));
}

}  // namespace rdmastate
