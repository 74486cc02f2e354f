// SPDX-License-Identifier: Apache-2.0
// A bond that systemd-networkd makes, and what rdmastate does to it.
#include <fmt/format.h>

#include "resources/bond/bond.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

std::string bonded(const std::string& more = "", const std::string& backend = "networkd") {
  return "version: 1\nnetwork: {backend: " + backend +
         "}\nmodules: {load: [ib_ipoib, bonding]}\nipoib:\n"
         "  - {name: ib1, mode: datagram, mtu: 2044}\n  - {name: ib2, mode: datagram, mtu: 2044}\n"
         "bonds:\n  - {name: bond0, ports: [ib1, ib2], " +
         more + "ipv4: {method: manual, addresses: [198.51.100.1/28]}}\n";
}

std::string without_bond() {
  std::string spec = bonded();
  return spec.erase(spec.find("bonds:"));
}

HostModel with_networkd() {
  HostModel model = loaded_model();
  model.networkd = true;
  model.modules.loadable.insert("bonding");
  return model;
}

Link foreign_bond() {
  Link other;
  other.name = "bond0";
  other.type = 1;
  other.kind = "bond";
  other.mtu = 1500;
  other.bond = BondInfo{{0U, 0U, std::vector<IpAddress>{}}, BondMode::balance_rr};
  return other;
}

class NetworkdBond : public testing::Test {
 protected:
  void apply(const std::string& spec) { ASSERT_EQ(apply_spec(host_, spec).code, ExitCode::done); }
  void roll_back() {
    Host doors = host_.host();
    rollback(doors, /*force=*/false, deaf());
  }
  const Link* bond() {
    const RecordedLink* found = host_.model().find("bond0");
    return found == nullptr ? nullptr : &found->link;
  }
  // Of both ports: "bond0 bond0", and empty of one that is in no bond.
  std::string masters() {
    std::string text;
    for (const char* port : {"ib1", "ib2"}) {
      const RecordedLink* master = host_.model().find(host_.model().find(port)->link.master);
      text += (text.empty() ? "" : " ") + (master == nullptr ? "none" : std::string(master->link.name));
    }
    return text;
  }
  std::string primary() {
    const RecordedLink* port = bond() == nullptr ? nullptr : host_.model().find(bond()->bond->primary);
    return port == nullptr ? "none" : std::string(port->link.name);
  }

  RecordedHost host_{with_networkd()};
};

TEST_F(NetworkdBond, IsMadeByItWithItsPortsAndThenNothingIsToDo) {
  apply(bonded("primary: ib2, "));
  EXPECT_EQ(masters(), "bond0 bond0");
  EXPECT_EQ(primary(), "ib2");
  EXPECT_EQ(bond()->bond->miimon, 100U);
  EXPECT_EQ(bond()->mtu, 2044U);
  EXPECT_EQ(count_calls(host_, "creating the bond bond0"), 0U);
  EXPECT_TRUE(plan_spec(host_, bonded("primary: ib2, ")).steps.empty());
}

TEST_F(NetworkdBond, ThatIsThereGetsOtherOptionsFromRdmastate) {
  apply(bonded("primary: ib2, "));
  const std::uint32_t index = bond()->index;
  apply(bonded("arp_interval: 500, arp_targets: [198.51.100.14], "));
  EXPECT_EQ(bond()->index, index);
  EXPECT_EQ(bond()->bond->arp_interval, 500U);
  EXPECT_EQ(bond()->bond->miimon, 0U);
  EXPECT_EQ(primary(), "none");
  roll_back();
  EXPECT_EQ(bond()->bond->miimon, 100U);
  EXPECT_EQ(primary(), "ib2");
}

// networkd may be at work on it.
TEST_F(NetworkdBond, IsLeftToNetworkdInAllThatItSets) {
  apply(bonded("ipv6: {method: link-local}, "));
  const Item item =
      *find_item(plan_spec(host_, bonded("miimon: 200, ipv6: {method: link-local}, ")), bond_kind, "bond bond0");
  ASSERT_TRUE(item.gap.move && item.gap.move->to);
  const auto& to = item.gap.move->to->as<BondLink>();
  EXPECT_EQ(to.miimon, 200U);
  EXPECT_FALSE(to.ipv6 || to.up);
}

TEST_F(NetworkdBond, GetsAPortBackThatSomebodyTookOut) {
  apply(bonded());
  Host doors = host_.host();
  doors.links->set_master(host_.model().find("ib2")->link, 0);
  apply(bonded());
  EXPECT_EQ(masters(), "bond0 bond0");
}

TEST_F(NetworkdBond, ThatIsMadeAnewGetsThePortsWhoseFilesAreThere) {
  apply(bonded("primary: ib2, "));
  Host doors = host_.host();
  doors.links->remove(Link(*bond()));
  apply(bonded("primary: ib2, "));
  EXPECT_EQ(masters(), "bond0 bond0");
  EXPECT_EQ(primary(), "ib2");
}

TEST_F(NetworkdBond, GoesWithItsFilesAndIsBackWithItsPortsAfterAnUndo) {
  apply(bonded("primary: ib2, "));
  apply(without_bond());
  EXPECT_EQ(bond(), nullptr);
  roll_back();
  EXPECT_EQ(masters(), "bond0 bond0");
  EXPECT_EQ(primary(), "ib2");
}

TEST_F(NetworkdBond, ThatWasThereBeforeItsFilesIsThereAfterAnUndo) {
  apply(bonded("", "none"));
  apply(bonded());
  EXPECT_EQ(count_calls(host_, "removing bond0"), 0U);
  roll_back();
  EXPECT_EQ(masters(), "bond0 bond0");
  EXPECT_FALSE(host_.model().files.contains("/etc/systemd/network/60-rdmastate-bond0.netdev"));
}

TEST_F(NetworkdBond, OfOthersWithItsNameKeepsItsFilesFromBeingWritten) {
  host_.model().modules.loaded.insert("bonding");
  host_.model().add({.link = foreign_bond()});
  const Plan plan = plan_spec(host_, bonded());
  for (const char* name : {"bond0.netdev", "bond0.network", "ib1.network", "ib2.network"}) {
    const Item* item = find_item(plan, networkd_file_kind, std::string("/etc/systemd/network/60-rdmastate-") + name);
    ASSERT_NE(item, nullptr) << name;
    EXPECT_NE(item->gap.blocked.find("bond0 is there with mode balance-rr"), std::string::npos) << name;
  }
  apply_spec(host_, bonded());
  roll_back();
  ASSERT_NE(bond(), nullptr);
  EXPECT_EQ(bond()->bond->mode, BondMode::balance_rr);
}

// Somebody puts a bond of their own in the place of rdmastate's.
TEST_F(NetworkdBond, OfOthersStaysWhenItsFilesGo) {
  apply(bonded());
  Host doors = host_.host();
  doors.links->remove(Link(*bond()));
  host_.model().add({.link = foreign_bond()});
  apply_spec(host_, without_bond());
  EXPECT_FALSE(host_.model().files.contains("/etc/systemd/network/60-rdmastate-bond0.netdev"));
  EXPECT_NE(bond(), nullptr);
}

TEST_F(NetworkdBond, WithAnEthernetPortStaysWhenItsFilesGo) {
  apply(bonded());
  Link ethernet;
  ethernet.name = "eth9";
  ethernet.type = 1;
  ethernet.mtu = 1500;
  ethernet.master = bond()->index;
  host_.model().add({.link = ethernet});
  apply_spec(host_, without_bond());
  EXPECT_FALSE(host_.model().files.contains("/etc/systemd/network/60-rdmastate-bond0.netdev"));
  EXPECT_NE(bond(), nullptr);
}

TEST_F(NetworkdBond, WhoseNameAnotherInterfaceHasGetsNoFiles) {
  Link other = foreign_bond();
  other.kind = "dummy";
  other.bond.reset();
  host_.model().add({.link = other});
  const Plan plan = plan_spec(host_, bonded());
  const Item* item = find_item(plan, networkd_file_kind, "/etc/systemd/network/60-rdmastate-ib1.network");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->gap.blocked, "another interface is called bond0: choose another name");
}

TEST_F(NetworkdBond, OfAPortThatIsUpTakesThatDown) {
  Link& port = host_.model().find("ib1")->link;
  port.up = true;
  const Plan plan = plan_spec(host_, bonded());
  const Item* item = find_item(plan, networkd_file_kind, "/etc/systemd/network/60-rdmastate-ib1.network");
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(item->loss.links, std::vector{port.index});
}

TEST_F(NetworkdBond, KeepsAPortOutWhoseFileLosesToAnother) {
  apply(bonded());
  put(host_.model(), "/etc/systemd/network/10-other.network", "[Match]\nName=ib0\n");
  put(host_.model(), "/etc/systemd/network/90-late.network", "[Match]\nName=ib0\n[Network]\nBond=bond0\n");
  Host doors = host_.host();
  doors.networkd->reload();
  apply(without_bond());
  roll_back();
  EXPECT_EQ(masters(), "bond0 bond0");
  EXPECT_EQ(host_.model().find("ib0")->link.master, 0U);
}

TEST_F(NetworkdBond, RefusesAddressesInTheFileOfItsPort) {
  put(host_.model(), "/etc/systemd/network/10-one.network",
      "[Match]\nName=ib1\n\n[Network]\nBond=bond0\nDHCP=yes\nGateway=192.0.2.1\nLinkLocalAddressing=ipv6\n"
      "Address=192.0.2.9/24\n\n[Address]\nAddress=192.0.2.8/24\n\n[Route]\nDestination=203.0.113.0/24\n"
      "Gateway=192.0.2.2\n");
  PlanOptions adopting;
  adopting.adopt = true;
  const Outcome outcome = apply_spec(host_, bonded(), adopting);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  for (const char* key :
       {"[Network] DHCP=yes", "[Network] Gateway=192.0.2.1", "[Network] LinkLocalAddressing=ipv6",
        "[Network] Address=192.0.2.9/24", "[Address] Address=192.0.2.8/24", "[Route] Destination=203.0.113.0/24"})
    EXPECT_NE(outcome.message.find(key), std::string::npos) << key << "\n" << outcome.message;
}

TEST_F(NetworkdBond, OfAPortWhoseFileTurnsAddressesOffTakesTheFileOver) {
  put(host_.model(), "/etc/systemd/network/10-one.network",
      "[Match]\nName=ib1\n\n[Network]\nBond=bond0\nDHCP=no\nLinkLocalAddressing=no\n");
  PlanOptions adopting;
  adopting.adopt = true;
  EXPECT_EQ(apply_spec(host_, bonded(), adopting).code, ExitCode::done);
}

TEST(NetworkdText, ReadsEveryWordForYesOfThePrimary) {
  for (const char* word : {"yes", "true", "1", "on"})
    EXPECT_TRUE(read_networkd_text(regular_file(fmt::format("[Network]\nPrimarySlave={}\n", word))).is_primary) << word;
  EXPECT_FALSE(read_networkd_text(regular_file("[Network]\nPrimarySlave=no\n")).is_primary);
}

TEST_F(NetworkdBond, StaysForAnotherBackEnd) {
  apply(bonded());
  const std::uint32_t index = bond()->index;
  apply(bonded("", "none"));
  ASSERT_NE(bond(), nullptr);
  EXPECT_EQ(bond()->index, index);
}

TEST_F(NetworkdBond, IsMadeWhereAPortHasAnAddress) {
  Address address;
  address.link = host_.model().find("ib1")->link.index;
  ASSERT_FALSE(Text<IpInterface>::read({"192.0.2.9/24", true}, address.value));
  host_.model().addresses.push_back(address);
  EXPECT_EQ(find_item(plan_spec(host_, bonded()), bond_kind, "bond bond0")->gap.blocked, "");
}

TEST_F(NetworkdBond, WaitsWhereNetworkdDoesNotRun) {
  host_.model().networkd = false;
  apply_spec(host_, bonded());
  EXPECT_EQ(bond(), nullptr);
  EXPECT_TRUE(host_.model().files.contains("/etc/systemd/network/60-rdmastate-bond0.netdev"));
}

TEST_F(NetworkdBond, OfAFileOfOthersIsNotTakenOver) {
  put(host_.model(), "/etc/systemd/network/10-b.netdev", "[NetDev]\nName=bond0\nKind=bond\n");
  PlanOptions adopting;
  adopting.adopt = true;
  const Outcome outcome = apply_spec(host_, bonded(), adopting);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find("rdmastate takes over no file of a bond that somebody else made"), std::string::npos)
      << outcome.message;
}

// The file of a port, which names the bond in its own words.
TEST_F(NetworkdBond, LetsItsPortGoInAFileThatWasTakenOver) {
  constexpr const char* path = "/etc/systemd/network/10-one.network";
  put(host_.model(), path, "[Match]\nName=ib1\n\n[Network]\nBond=bond0\nLLDP=no\n");
  PlanOptions adopting;
  adopting.adopt = true;
  ASSERT_EQ(apply_spec(host_, bonded("primary: ib1, "), adopting).code, ExitCode::done);
  EXPECT_EQ(masters(), "bond0 bond0");
  EXPECT_NE(host_.model().files.at(path).bytes.find("PrimarySlave=yes\n"), std::string::npos);
  apply(without_bond());
  EXPECT_EQ(host_.model().files.at(path).bytes.find("Bond="), std::string::npos);
  EXPECT_EQ(host_.model().files.at(path).bytes.find("PrimarySlave"), std::string::npos);
  EXPECT_NE(host_.model().files.at(path).bytes.find("LLDP=no"), std::string::npos);
}

// Fact 25, of the recorded host as of the real one (scenario rig-networkd-bond).
class RecordedFact25 : public NetworkdBond {
 protected:
  void bond_file(const char* interval) {
    put(host_.model(), "/etc/systemd/network/50-bond0.netdev",
        fmt::format("[NetDev]\nName=bond0\nKind=bond\nMTUBytes=2044\n[Bond]\nMIIMonitorSec={}\n", interval));
  }
  void port_file(const std::string& port, const char* more) {
    put(host_.model(), "/etc/systemd/network/50-" + port + ".network",
        "[Match]\nName=" + port + "\n[Network]\n" + more);
  }
  void reload() {
    Host doors = host_.host();
    doors.networkd->reload();
  }
};

using RecordedNetworkdFiles = RecordedFact25;

TEST_F(RecordedFact25, ABondThatIsThereKeepsItsOptions) {
  bond_file("100ms");
  port_file("ib1", "Bond=bond0\n");
  port_file("ib2", "Bond=bond0\nPrimarySlave=yes\n");
  reload();
  EXPECT_EQ(masters(), "bond0 bond0");
  EXPECT_EQ(primary(), "ib2");
  bond_file("200ms");
  reload();
  EXPECT_EQ(bond()->bond->miimon, 100U);
  EXPECT_EQ(masters(), "bond0 bond0");
}

TEST_F(RecordedFact25, APortLeavesByItsFileAndABondStaysWithoutItsOwn) {
  bond_file("100ms");
  for (const char* port : {"ib1", "ib2"}) port_file(port, "Bond=bond0\n");
  reload();
  port_file("ib2", "");
  reload();
  EXPECT_EQ(masters(), "bond0 none");
  std::erase_if(host_.model().files,
                [](const auto& file) { return file.first.starts_with("/etc/systemd/network/50-"); });
  reload();
  EXPECT_EQ(masters(), "bond0 none");
}

// systemd.network(5): drop-ins are sorted by their names over all directories, and one in /etc hides that of its name
// in /run.
TEST_F(RecordedNetworkdFiles, OfDropInsTheLastByNameCountsAndEtcHidesRun) {
  bond_file("100ms");
  port_file("ib1", "Bond=bond0\n");
  const auto drop_in = [&](const std::string& path, const std::string& is_primary) {
    put(host_.model(), path, "[Network]\nPrimarySlave=" + is_primary + "\n");
  };
  drop_in("/etc/systemd/network/50-ib1.network.d/z.conf", "yes");
  drop_in("/run/systemd/network/50-ib1.network.d/a.conf", "no");
  reload();
  EXPECT_EQ(primary(), "ib1");
  port_file("ib2", "Bond=bond0\n");
  drop_in("/etc/systemd/network/50-ib2.network.d/a.conf", "yes");
  drop_in("/run/systemd/network/50-ib2.network.d/a.conf", "no");
  reload();
  EXPECT_EQ(primary(), "ib2");
}

TEST_F(RecordedFact25, NoPortJoinsABondThatIsMadeAnew) {
  bond_file("100ms");
  for (const char* port : {"ib1", "ib2"}) port_file(port, "Bond=bond0\n");
  reload();
  Host doors = host_.host();
  doors.links->remove(Link(*bond()));
  reload();
  EXPECT_NE(bond(), nullptr);
  EXPECT_EQ(masters(), "none none");
}

}  // namespace
}  // namespace rdmastate
