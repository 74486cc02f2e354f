// SPDX-License-Identifier: Apache-2.0
// Which module of the plan a missing device waits for: one that may bring it, and no other.
#include "support/scene.hpp"

namespace rdmastate {
namespace {

struct Row {
  const char* modules;
  const char* match;
  const char* after;  ///< empty: nothing is waited for
};

constexpr Row rows[] = {
    {"ib_ipoib, ib_umad, rdma_ucm", "node_guid: \"1111:2222:3333:4444\"", ""},
    {"ib_ipoib, rdma_rxe", "node_guid: \"1111:2222:3333:4444\"", "module rdma_rxe"},
    {"rdma_rxe", "pci: \"0000:99:00.0\"", ""},
    {"ib_ipoib, mlx5_ib", "pci: \"0000:99:00.0\"", "module mlx5_ib"},
};

TEST(Bringers, AMissingDeviceWaitsForWhatMayBringIt) {
  for (const auto& row : rows)
    for (const bool optional : {true, false}) {
      HostModel model = guide_model();
      model.modules.loadable.insert({"mlx5_ib", "rdma_rxe"});
      RecordedHost host(std::move(model));
      const Plan plan = plan_spec(host, std::string("version: 1\nnetwork: {backend: none}\nmodules: {load: [") +
                                            row.modules + "]}\ndevices:\n  - {match: {" + row.match + "}, name: later" +
                                            (optional ? ", optional: true" : "") + "}\n");
      const auto device = std::find_if(plan.items.begin(), plan.items.end(),
                                       [](const Item& item) { return item.kind->name == "rdma_device"; });
      ASSERT_NE(device, plan.items.end());
      EXPECT_EQ(device->gap.after, row.after) << row.modules << ", " << row.match;
      EXPECT_EQ(device->gap.blocked.empty(), optional || *row.after != '\0') << device->gap.blocked;
    }
}

}  // namespace
}  // namespace rdmastate
