// SPDX-License-Identifier: Apache-2.0
// What is refused although it could be done, and the sentences that say so; warnings.
#include <fmt/format.h>
#include "plan/verdict.hpp"
#include "resources/ipoib_link/ipoib_link.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

std::string refusals(const Plan& plan) { return fmt::format("{}", fmt::join(plan.refused(), "\n")); }

// The first port up in datagram mode, and the host's default route by it where `default_route`.
HostModel up_host(bool default_route) {
  HostModel model = loaded_model();
  RecordedHost host(model);
  Host doors = host.host();
  const Link port = *doors.links->find("ib2");
  LinkChange change;
  change.up = true;
  doors.links->change(port, change);
  model = host.model();
  if (!default_route) return model;
  for (auto& route : model.routes)
    if (route.to.is_default()) route.link = port.index;
  return model;
}

TEST(Policy, DoesNotBounceTheDefaultRoutesInterface) {
  RecordedHost host(up_host(true));
  const Plan plan = plan_spec(host, spec_one);
  ASSERT_EQ(plan.refusals.size(), 1U) << refusals(plan);
  EXPECT_NE(refusals(plan).find("would bounce, and the default route leaves by ib2"), std::string::npos)
      << refusals(plan);
  const std::string before = host.to_json();
  const Outcome outcome = apply_spec(host, spec_one);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("would bounce"), std::string::npos) << outcome.message;
  EXPECT_EQ(host.to_json(), before);
}

TEST(Policy, DisturbsNoMoreThanIsAllowed) {
  RecordedHost host(up_host(false));
  PlanOptions none;
  none.max_disruption = Disruption::none;
  const std::string before = host.to_json();
  const Outcome outcome = apply_spec(host, spec_one, none);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("disrupts: link; this run may disrupt at most: none. --max-disruption link allows it"),
            std::string::npos)
      << outcome.message;
  EXPECT_EQ(host.to_json(), before);
  EXPECT_EQ(refusals(plan_spec(host, spec_one)), "");
}

TEST(Policy, DoesNotBounceTheParentOfTheDefaultRoutesInterface) {
  HostModel model = up_host(false);
  RecordedHost host(model);
  Host doors = host.host();
  doors.links->create({{}, doors.links->find("ib2")->index, "way", {0x8002}});
  model = host.model();
  for (auto& route : model.routes)
    if (route.to.is_default()) route.link = model.find("way")->link.index;
  RecordedHost moved(model);
  EXPECT_NE(refusals(plan_spec(moved, spec_one)).find("the default route leaves by way"), std::string::npos);
}

TEST(Policy, BouncesItWhereSomebodyConfirms) {
  HostModel model = up_host(true);
  model.systemd.emplace();
  RecordedHost host(model);
  PlanOptions options;
  options.confirm_within = 60;
  EXPECT_EQ(refusals(plan_spec(host, spec_one, options)), "");
  EXPECT_NE(refusals(plan_spec(host, spec_one)).find("--confirm-within 60s does it"), std::string::npos);
  EXPECT_EQ(apply_spec(host, spec_one, options).code, ExitCode::done);
}

TEST(Policy, ChangesWithoutABounceAreFree) {
  RecordedHost host(up_host(true));
  const std::string spec = spec_head + "  - {name: ib2, ipv4: {method: manual, addresses: [198.51.100.1/28]}}\n";
  EXPECT_EQ(refusals(plan_spec(host, spec)), "");
}

TEST(Policy, AModeChangeOfAnInterfaceThatIsUpDisruptsIt) {
  RecordedHost host(up_host(false));
  const Plan plan = plan_spec(host, spec_one);
  const auto item =
      std::find_if(plan.items.begin(), plan.items.end(), [](const Item& i) { return i.kind == &ipoib_link_kind; });
  ASSERT_NE(item, plan.items.end());
  EXPECT_EQ(item->disruption, Disruption::link);
  RecordedHost down(loaded_model());
  const Plan quiet = plan_spec(down, spec_one);
  for (const auto& one : quiet.items) {
    if (one.kind != &ipoib_link_kind) continue;
    EXPECT_EQ(one.disruption, Disruption::none);
  }
}

TEST(Policy, AnotherSpecsWorkIsNotReplacedUnasked) {
  RecordedHost host(loaded_model());
  ASSERT_EQ(apply_spec(host, spec_two).code, ExitCode::done);
  const std::string other = "version: 1\nid: storage\n" + spec_one.substr(spec_one.find('\n') + 1);
  const Plan plan = plan_spec(host, other);
  ASSERT_EQ(plan.refusals.size(), 1U);
  EXPECT_NE(refusals(plan).find("'host'"), std::string::npos);
  EXPECT_NE(refusals(plan).find("'storage'"), std::string::npos);
  PlanOptions options;
  options.replace = true;
  EXPECT_EQ(refusals(plan_spec(host, other, options)), "");
}

HostModel claimed_host(const std::string& path, const std::string& text) {
  HostModel model = loaded_model();
  model.files[path] = {{FileType::regular, 0644, 0, 0}, text, {}};
  add_parents(model.files);
  return model;
}

TEST(Policy, ForeignFilesAreNamedOrAdopted) {
  const std::string path = "/etc/network/interfaces.d/ib";
  RecordedHost host(claimed_host(path, "iface mlx4_ib0 inet manual\n"));
  EXPECT_NE(refusals(plan_spec(host, spec_one)).find(path + " (ifupdown) configures mlx4_ib0"), std::string::npos);
  PlanOptions options;
  options.adopt = true;
  EXPECT_EQ(refusals(plan_spec(host, spec_one, options)), "");
  ASSERT_EQ(apply_spec(host, spec_one, options).code, ExitCode::done);
  EXPECT_FALSE(host.model().files.contains(path));
}

TEST(Policy, ForeignFilesAreFoundHoweverTheyAreWritten) {
  for (const char* text :
       {"[Match]\nName = mlx4_ib0\n", "[Match]\r\nName=mlx4_ib0\r\n", "[Match]\nName=a \\\n# c\n mlx4_ib0\n",
        "\xef\xbb\xbf[Match]\nName=mlx4_ib0\n", "[Match]\nName=mlx4_ib0"}) {
    const std::string path = "/etc/systemd/network/ib.network";
    RecordedHost host(claimed_host(path, text));
    EXPECT_NE(refusals(plan_spec(host, spec_one)).find(path + " (networkd) configures mlx4_ib0"), std::string::npos)
        << text;
    EXPECT_EQ(apply_spec(host, spec_one).code, ExitCode::refused) << text;
  }
}

TEST(Policy, AFileThatHoldsMoreIsNeverAdopted) {
  RecordedHost host(
      claimed_host("/etc/network/interfaces", "auto lo\niface lo inet loopback\niface mlx4_ib0 inet manual\n"));
  PlanOptions options;
  options.adopt = true;
  EXPECT_NE(refusals(plan_spec(host, spec_one, options)).find("take the interface out of it by hand"),
            std::string::npos);
}

TEST(Warnings, APartitionThatThePortLacks) {
  RecordedHost host(loaded_model());
  const Plan plan = plan_spec(host, spec_head + spec_port + "  - {parent: mlx4_ib0, pkey: 0x8005}\n");
  std::string warning;
  for (const auto& item : plan.items) warning += item.warning;
  EXPECT_EQ(
      warning,
      "P_Key 0x8005 is not in the partition table of mlx4_1 port 1 (0xffff, 0x8002), so mlx4_ib0.8005 has no carrier: "
      "ask the subnet manager's administrator, or add it to partitions.conf");
  EXPECT_GT(judge(plan).blocked, 0U);
}

TEST(Warnings, ALimitedMembershipIsNone) {
  HostModel model = loaded_model();
  for (auto& device : model.devices)
    for (auto& port : device.ports)
      for (auto& key : port.pkeys) key = key == 0x8002 ? 0x0002 : key;
  RecordedHost host(model);
  for (const auto& item : plan_spec(host, spec_two).items) EXPECT_EQ(item.warning, "");
}

}  // namespace
}  // namespace rdmastate
