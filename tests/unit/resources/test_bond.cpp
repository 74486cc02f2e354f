// SPDX-License-Identifier: Apache-2.0
// What a step on a port or a bond takes away from those who use the bond, and what keeps a bond from being made.
#include "resources/bond/bond.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

constexpr const char* bonded =
    "version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib]}\nipoib:\n"
    "  - {name: ib1, mode: datagram, mtu: 2044}\n  - {name: ib2, mode: datagram, mtu: 2044}\n"
    "bonds:\n  - {name: bond0, ports: [ib1, ib2], ipv4: {method: manual, addresses: [198.51.100.1/28]}}\n";

HostModel with_driver() {
  HostModel model = loaded_model();
  model.modules.loadable.insert("bonding");
  return model;
}

std::vector<std::string> lost_by(RecordedHost& host, const std::string& name) {
  Host doors = host.host();
  const Snapshot snapshot(doors);
  std::vector<std::string> names;
  for (const std::uint32_t index : loss_of_link(snapshot, snapshot.link(name)).links)
    names.emplace_back(snapshot.link(index)->name);
  return names;
}

TEST(Bond, GoesWithItsPort) {
  RecordedHost host(with_driver());
  ASSERT_EQ(apply_spec(host, bonded).code, ExitCode::done);
  EXPECT_EQ(lost_by(host, "ib2"), (std::vector<std::string>{"ib2", "bond0"}));
  EXPECT_EQ(lost_by(host, "bond0"), (std::vector<std::string>{"bond0", "ib1", "ib2"}));
}

TEST(Bond, DoesWithoutAPortThatIsNotThere) {
  HostModel model = with_driver();
  const std::uint32_t gone = model.find("ib1")->link.index;
  model.links.erase(gone);
  RecordedHost host(model);
  apply_spec(host, bonded);
  const RecordedLink* bond = host.model().find("bond0");
  ASSERT_NE(bond, nullptr);
  EXPECT_EQ(host.model().find("ib2")->link.master, bond->link.index);
}

// Those who have queue pairs on the second port's adapter are asked too.
TEST(Bond, TakesEachPortsDeviceFromItsUsers) {
  HostModel model = with_driver();
  for (const char* name : {"ib1", "ib2"}) model.find(name)->link.up = true;
  RecordedHost host(model);
  Host doors = host.host();
  const Snapshot snapshot(doors);
  Loss loss = loss_of_link(snapshot, snapshot.link("ib1"));
  add_loss_of_link(snapshot, snapshot.link("ib2"), loss);
  EXPECT_EQ(loss.devices, (std::vector<std::string>{"mlx4_0", "mlx4_1"}));
}

// The removal of the last port takes the bond along, before the bond's own step.
TEST(Bond, GetsOtherPortsForAllThatItHas) {
  const auto on_partition = [](const std::string& pkey) {
    return fmt::format(
        "version: 1\nnetwork: {{backend: none}}\nmodules: {{load: [ib_ipoib]}}\nipoib:\n"
        "  - {{name: ib1}}\n  - {{name: ib2}}\n  - {{parent: ib1, pkey: 0x{0}}}\n  - {{parent: ib2, pkey: 0x{0}}}\n"
        "bonds:\n  - {{name: bond0, ports: [ib1.{0}, ib2.{0}], "
        "ipv4: {{method: manual, addresses: [198.51.100.1/28]}}}}\n",
        pkey);
  };
  RecordedHost host(with_driver());
  ASSERT_EQ(apply_spec(host, on_partition("8002")).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, on_partition("8003")).code, ExitCode::done);
  const RecordedLink* bond = host.model().find("bond0");
  ASSERT_NE(bond, nullptr);
  EXPECT_EQ(host.model().find("ib1.8003")->link.master, bond->link.index);
  EXPECT_EQ(host.model().find("ib1.8002"), nullptr);
  EXPECT_TRUE(plan_spec(host, on_partition("8003")).is_empty());
}

constexpr const char* ports_of_two =
    "version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib]}\nipoib:\n"
    "  - {name: ib1, mode: datagram, mtu: 2044}\n  - {name: ib2, mode: datagram, mtu: 2044}\n"
    "  - {parent: ib1, pkey: 0x8002, mtu: 2044}\n";

std::string master_of(RecordedHost& host, const char* port) {
  const RecordedLink* master = host.model().find(host.model().find(port)->link.master);
  return master == nullptr ? "" : master->link.name;
}

// In one plan: whichever bond moves first, the port is in the new one afterwards.
TEST(Bond, GivesAPortToAnotherBond) {
  const std::string before = std::string(ports_of_two) +
                             "bonds:\n  - {name: bond0, ports: [ib1, ib2]}\n  - {name: bond1, ports: [ib1.8002]}\n";
  const std::string after = std::string(ports_of_two) +
                            "bonds:\n  - {name: bond0, ports: [ib1]}\n  - {name: bond1, ports: [ib1.8002, ib2]}\n";
  RecordedHost host(with_driver());
  ASSERT_EQ(apply_spec(host, before).code, ExitCode::done);
  for (const std::string& text : {after, before}) {
    for (const char* bond : {"bond bond0", "bond bond1"})
      EXPECT_TRUE(find_item(plan_spec(host, text), bond_kind, bond)->gap.move) << bond;
    ASSERT_EQ(apply_spec(host, text).code, ExitCode::done);
    EXPECT_EQ(master_of(host, "ib1"), "bond0");
    EXPECT_EQ(master_of(host, "ib2"), text == after ? "bond1" : "bond0");
    EXPECT_TRUE(plan_spec(host, text).is_empty());
  }
}

TEST(Bond, IsMadeAgainUnderAnotherName) {
  std::string renamed = bonded;
  RecordedHost host(with_driver());
  ASSERT_EQ(apply_spec(host, renamed).code, ExitCode::done);
  renamed.replace(renamed.find("bond0"), 5, "bond9");
  ASSERT_EQ(apply_spec(host, renamed).code, ExitCode::done);
  EXPECT_EQ(host.model().find("bond0"), nullptr);
  EXPECT_EQ(master_of(host, "ib1"), "bond9");
  EXPECT_TRUE(plan_spec(host, renamed).is_empty());
}

TEST(Bond, OfPortsInDifferentModesIsNotMade) {
  HostModel model = with_driver();
  model.find("ib1")->link.ipoib->mode = IpoibMode::connected;
  const std::string spec =
      "version: 1\nnetwork: {backend: none}\nmodules: {load: [bonding]}\nipoib:\n  - {name: ib1}\n  - {name: ib2}\n"
      "bonds:\n  - {name: bond0, ports: [ib1, ib2]}\n";
  EXPECT_NE(gap_in(model, spec, bond_kind).blocked.find("ib1 has mode connected and ib2 has mode datagram"),
            std::string::npos);
  model.find("ib1")->link.ipoib->mode = IpoibMode::datagram;
  RecordedHost host(model);
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  host.model().find("ib1")->link.ipoib->mode = IpoibMode::connected;
  EXPECT_EQ(gap_in(host.model(), spec, bond_kind).blocked, "") << "of those that are in it nothing is asked";
}

// The kernel gives it back the MTU that it had before it joined, so another round follows.
TEST(Bond, KeepsTheMtuOfAPortThatLeaves) {
  RecordedHost host(with_driver());
  ASSERT_EQ(apply_spec(host, bonded).code, ExitCode::done);
  std::string text = bonded;
  for (std::size_t at = text.find("2044"); at != std::string::npos; at = text.find("2044")) text.replace(at, 4, "1500");
  ASSERT_EQ(apply_spec(host, text).code, ExitCode::done);
  ASSERT_EQ(host.model().find("ib2")->link.mtu, 1500U);
  text.replace(text.find("[ib1, ib2]"), 10, "[ib1]");
  ASSERT_EQ(apply_spec(host, text).code, ExitCode::done);
  EXPECT_EQ(host.model().find("ib2")->link.mtu, 1500U);
  EXPECT_TRUE(host.model().find("ib2")->link.up);
}

TEST(Bond, IsNotMadeBesideAFileOfOthersThatMakesIt) {
  HostModel model = with_driver();
  put(model, "/etc/network/interfaces.d/bond",
      "auto bond0\niface bond0 inet static\n  address 198.51.100.1/28\n  bond-slaves ib1 ib2\n");
  RecordedHost host(model);
  const Outcome outcome = apply_spec(host, bonded);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("/etc/network/interfaces.d/bond"), std::string::npos) << outcome.message;
  EXPECT_EQ(host.model().find("bond0"), nullptr);
}

// Whoever has given it: a lease of DHCP is an address too.
TEST(Bond, WithAnAddressOnAPortIsNotMade) {
  HostModel model = with_driver();
  Address address;
  address.permanent = false;
  address.link = model.find("ib1")->link.index;
  ASSERT_FALSE(Text<IpInterface>::read({"192.0.2.9/24", true}, address.value));
  model.addresses.push_back(address);
  RecordedHost host(model);
  apply_spec(host, bonded);
  EXPECT_EQ(host.model().find("bond0"), nullptr);
}

std::string bonded_by_networkmanager(const std::string& more = "") {
  std::string spec = bonded;
  spec.replace(spec.find("none"), 4, "networkmanager");
  return spec.insert(spec.find("ipv4"), more);
}

HostModel with_networkmanager() {
  HostModel model = model_run_by("networkmanager");
  model.modules.loadable.insert("bonding");
  return model;
}

constexpr const char* bonds_profile = "/etc/NetworkManager/system-connections/bond0.nmconnection";
constexpr const char* ports_profile = "/etc/NetworkManager/system-connections/ib1.nmconnection";

// NetworkManager activates no port before it knows the profile of its bond.
TEST(Bond, HasItsProfileLoadedBeforeThoseOfItsPorts) {
  RecordedHost host(with_networkmanager());
  std::vector<std::string> order;
  const Plan plan = plan_spec(host, bonded_by_networkmanager());
  for (const std::size_t at : plan.steps)
    if (plan.items[at].kind == &nm_profile_kind) order.push_back(plan.items[at].key);
  ASSERT_EQ(order.size(), 3U);
  EXPECT_EQ(order.front(), bonds_profile);
}

// The address goes when NetworkManager activates the port's profile, so nothing has to be taken off by hand.
TEST(Bond, WithAnAddressOnAPortIsMadeByNetworkManager) {
  HostModel model = with_networkmanager();
  Address address;
  address.link = model.find("ib1")->link.index;
  ASSERT_FALSE(Text<IpInterface>::read({"192.0.2.9/24", true}, address.value));
  model.addresses.push_back(address);
  RecordedHost host(model);
  const Plan plan = plan_spec(host, bonded_by_networkmanager());
  const Item* item = find_item(plan, bond_kind, "bond bond0");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->gap.blocked, "");
  EXPECT_EQ(item->gap.pending.until, Until::owner);
}

TEST(Bond, IsReappliedWithAnotherMonitorAndNotActivatedAnew) {
  RecordedHost host(with_networkmanager());
  ASSERT_EQ(apply_spec(host, bonded_by_networkmanager()).code, ExitCode::done);
  ASSERT_EQ(apply_spec(host, bonded_by_networkmanager("miimon: 200, primary: ib2, ")).code, ExitCode::done);
  EXPECT_EQ(count_calls(host, "reapplying the profile of bond0"), 1U);
}

// NetworkManager activates the profile of a bond's port without a carrier (scenario nm-carrier).
TEST(Bond, GetsAPortBackThatHasNoCarrier) {
  RecordedHost host(with_networkmanager());
  ASSERT_EQ(apply_spec(host, bonded_by_networkmanager()).code, ExitCode::done);
  std::erase_if(host.model().networkmanager->devices, [](const NmDevice& one) { return one.interface == "ib1"; });
  host.model().find("ib1")->link.up = true;
  host.model().find("ib1")->link.carrier = false;
  const Plan plan = plan_spec(host, bonded_by_networkmanager());
  const Item* item = find_item(plan, nm_profile_kind, ports_profile);
  ASSERT_NE(item, nullptr);
  EXPECT_TRUE(item->has_step());
  EXPECT_EQ(apply_spec(host, bonded_by_networkmanager()).code, ExitCode::done);
}

// Gives the host a bond0 that others made, of a mode that IPoIB cannot have.
void add_bond_of_others(HostModel& model) {
  Link other;
  other.name = "bond0";
  other.type = 1;
  other.kind = "bond";
  other.mtu = 1500;
  other.bond = BondInfo{{0U, 0U, std::vector<IpAddress>{}}, BondMode::balance_rr};
  model.add({.link = other});
}

TEST(Bond, OfAnotherModeIsLeftAlone) {
  HostModel model = with_driver();
  model.modules.loaded.insert("bonding");
  add_bond_of_others(model);
  RecordedHost host(model);
  apply_spec(host, bonded);
  EXPECT_EQ(host.model().find("bond0")->link.bond->mode, BondMode::balance_rr);
  EXPECT_EQ(host.model().find("ib1")->link.master, 0U);
}

TEST(Bond, OfAnotherModeGetsNoProfile) {
  HostModel model = with_networkmanager();
  add_bond_of_others(model);
  RecordedHost host(model);
  apply_spec(host, bonded_by_networkmanager());
  EXPECT_EQ(host.model().find("bond0")->link.bond->mode, BondMode::balance_rr);
  for (const char* path : {bonds_profile, ports_profile}) EXPECT_FALSE(host.model().files.contains(path)) << path;
}

void add_bond(HostModel& model) {
  Link bond;
  bond.name = "bond0";
  bond.type = Link::type_infiniband;
  bond.kind = "bond";
  bond.mtu = 2044;
  bond.up = true;
  bond.bond = BondInfo{{100U, 0U, std::vector<IpAddress>{}}, BondMode::active_backup};
  model.add({.link = bond});
}

TEST(Bond, ThatAnotherProfileRunsStaysWhenOursGoes) {
  RecordedHost host(with_networkmanager());
  ASSERT_EQ(apply_spec(host, bonded_by_networkmanager()).code, ExitCode::done);
  add_bond(host.model());
  for (auto& device : host.model().networkmanager->devices)
    if (device.interface == "bond0") device.uuid = "11111111-1111-4111-8111-111111111111";
  std::string without = bonded_by_networkmanager();
  without.erase(without.find("bonds:"));
  apply_spec(host, without);
  EXPECT_FALSE(host.model().files.contains(bonds_profile));
  EXPECT_NE(host.model().find("bond0"), nullptr);
}

TEST(Bond, OfAnotherModeStaysWhenItsProfileGoes) {
  RecordedHost host(with_networkmanager());
  ASSERT_EQ(apply_spec(host, bonded_by_networkmanager()).code, ExitCode::done);
  if (host.model().find("bond0") == nullptr) add_bond(host.model());
  host.model().find("bond0")->link.bond->mode = BondMode::balance_rr;
  std::string without = bonded_by_networkmanager();
  without.erase(without.find("bonds:"));
  apply_spec(host, without);
  EXPECT_FALSE(host.model().files.contains(bonds_profile));
  EXPECT_NE(host.model().find("bond0"), nullptr);
}

TEST(Bond, IsBackWithItsPortsAndItsPrimaryAlone) {
  LinkId one, two;
  one.name = "ib1", two.name = "ib2";
  BondLink from;
  from.name = IfName{"bond0"};
  from.ports = {one, two};
  const auto is_back = [&](const auto& change) {
    BondLink now = from;
    now.mtu = 2044;
    change(now);
    return bond_kind.is_back(State(bond_kind, std::move(now)), State(bond_kind, from));
  };
  EXPECT_TRUE(is_back([](BondLink&) {}));
  EXPECT_FALSE(is_back([&](BondLink& now) { now.primary = two; }));
  EXPECT_FALSE(is_back([](BondLink& now) { now.ports.pop_back(); }));
  from.ports.pop_back();
  EXPECT_FALSE(is_back([&](BondLink& now) { now.ports.push_back(two); }));
}

TEST(Bond, IsBackAfterAnUndoOfNetworkManagersProfile) {
  HostModel model = with_networkmanager();
  model.modules.loaded.insert("bonding");
  RecordedHost host(model);
  add_bond(host.model());
  ASSERT_EQ(apply_spec(host, bonded_by_networkmanager()).code, ExitCode::done);
  Host doors = host.host();
  rollback(doors, /*force=*/false, deaf());
  EXPECT_FALSE(host.model().files.contains(bonds_profile));
  EXPECT_NE(host.model().find("bond0"), nullptr);
}

// Its file was taken over with its own words for the bond.
TEST(Bond, LetsItsPortGoInAProfileThatWasTakenOver) {
  HostModel model = with_networkmanager();
  put(model, ports_profile,
      "[connection]\nid=one\nuuid=11111111-1111-4111-8111-111111111111\ntype=infiniband\ninterface-name=ib1\n"
      "controller=bond0\nport-type=bond\n\n[infiniband]\ntransport-mode=datagram\n");
  model.files.at(ports_profile).meta.mode = 0600;
  RecordedHost host(model);
  PlanOptions adopting;
  adopting.adopt = true;
  ASSERT_EQ(apply_spec(host, bonded_by_networkmanager(), adopting).code, ExitCode::done);
  std::string spec = bonded_by_networkmanager();
  spec.replace(spec.find("bond0"), 5, "bond9");
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_NE(host.model().files.at(ports_profile).bytes.find("controller=bond9\n"), std::string::npos);
  spec.erase(spec.find("bonds:"));
  ASSERT_EQ(apply_spec(host, spec).code, ExitCode::done);
  EXPECT_EQ(host.model().files.at(ports_profile).bytes.find("bond"), std::string::npos);
}

TEST(Bond, OfAProfileOfOthersIsNotTakenOver) {
  HostModel model = with_networkmanager();
  put(model, bonds_profile, "[connection]\nid=b\ntype=bond\ninterface-name=bond0\nzone=trusted\n");
  RecordedHost host(model);
  PlanOptions adopting;
  adopting.adopt = true;
  const Outcome outcome = apply_spec(host, bonded_by_networkmanager(), adopting);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("rdmastate takes over no profile of a bond that somebody else made"),
            std::string::npos)
      << outcome.message;
}

}  // namespace
}  // namespace rdmastate
