// SPDX-License-Identifier: Apache-2.0
// IPoIB interfaces whose port nobody can name: they are listed under no port's name, and no plan touches them.
#include <gtest/gtest.h>

#include <algorithm>

#include "resources/ipoib_link/ipoib_link.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

/// A virtual function's interface before anybody gave it a GUID: the last 8 bytes of its address are zero.
void take_guid(HostModel& model, const std::string& name) {
  auto& address = model.find(name)->link.address;
  address.replace(address.size() - 8, 8, 8, '\0');
}

/// A child that was left here when its parent was moved into a container's network namespace.
void add_child_of_elsewhere(HostModel& model, const std::string& name, const std::string& like) {
  RecordedLink child = *model.find(like);
  child.link.name = name;
  child.link.index = model.next_index;
  child.link.parent = Link::parent_elsewhere;
  model.add(std::move(child));
}

TEST(IpoibIdentity, AnInterfaceWithoutAKnownPortIsLeftAlone) {
  HostModel model = loaded_model();
  take_guid(model, "ib0");
  add_child_of_elsewhere(model, "ib9.8001", "ib1");
  RecordedHost host(std::move(model));
  const Plan plan = plan_spec(host, "version: 1\npurge: [ipoib]\n");
  std::vector<std::string> keys;
  for (const auto& item : plan.items)
    if (item.kind == &ipoib_link_kind) keys.push_back(item.key);
  EXPECT_EQ(keys.size(), 2U) << "ib1 and ib2";
  for (const auto& key : keys) EXPECT_TRUE(key.starts_with("port ")) << key;
}

}  // namespace
}  // namespace rdmastate
