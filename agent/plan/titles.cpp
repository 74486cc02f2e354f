// SPDX-License-Identifier: Apache-2.0
#include "plan/titles.hpp"

#include <fmt/format.h>

namespace rdmastate {
namespace {

// What people call the resource, by the wanted state, else by the observed one; empty: it has no such name.
std::string short_name_of(const Item& item) {
  for (const State* state : {item.state(), state_of(item.observed)})
    if (std::string name = state == nullptr ? std::string() : item.kind->short_name(*state); !name.empty()) return name;
  return {};
}

// "mlx4_1 port 2 infiniband (node_guid ...)" for "node_guid ... port 2 infiniband".
std::string with_name(const std::string& title, const std::string& key, const std::string& name) {
  return fmt::format("{}{} ({})", name, title.substr(key.size()), key);
}

}  // namespace

// Where the title begins with a key, the item's own or that of a needed resource, a name takes the key's place, and the
// key goes in parentheses to the end. Where the title ends in " on KEY" of a needed resource, the name replaces that
// key. The name is the item's present one (Kind::present_name), or the needed resource's (short_name_of()).
std::string title_of(const Item& item, const Snapshot& snapshot, const std::function<const Item*(const Ref&)>& find) {
  std::string title = item.kind->title(item.key, item.state());
  if (title.starts_with(item.key))
    if (const std::string name = item.kind->present_name(snapshot, item.key); !name.empty())
      return with_name(title, item.key, name);
  for (const auto& ref : item.kind->needs(item.key, item.state())) {
    const bool is_on_it = title.ends_with(" on " + ref.key);
    const bool is_part_of_it = title.starts_with(ref.key + " ");
    const Item* needed = is_on_it || is_part_of_it ? find(ref) : nullptr;
    const std::string name = needed == nullptr ? std::string() : short_name_of(*needed);
    if (name.empty()) continue;
    if (is_on_it) title.replace(title.size() - ref.key.size(), ref.key.size(), name);
    if (is_part_of_it) title = with_name(title, ref.key, name);
  }
  return title;
}

}  // namespace rdmastate
