// SPDX-License-Identifier: Apache-2.0
// What the kernel is told of a route whose metric is left to its owner.
#include "resources/link_table.hpp"
#include "resources/route.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

TEST(Route, OfAnyMetricIsMadeAndRemovedWithTheKernelsOwn) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  RouteState route{link_id_from(port_key), {}, any_metric, std::nullopt};
  ASSERT_FALSE(Text<IpNetwork>::read({"198.18.0.0/15", false}, route.to));
  const State wanted(route_kind, route);
  const auto metrics = [&] {
    std::vector<std::uint32_t> found;
    for (const auto& one : host.model().routes)
      if (one.to == route.to) found.push_back(one.metric);
    return found;
  };
  Host doors = host.host();
  LinkTable links(doors);
  Tools tools{doors, links};
  route_kind.move(tools, route_key(route), nullptr, &wanted);
  EXPECT_EQ(metrics(), std::vector<std::uint32_t>{0});
  route_kind.move(tools, route_key(route), &wanted, nullptr);
  EXPECT_EQ(metrics(), std::vector<std::uint32_t>{});
}

}  // namespace
}  // namespace rdmastate
