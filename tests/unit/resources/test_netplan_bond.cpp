// SPDX-License-Identifier: Apache-2.0
// A bond of netplan's ports: its files are those of the renderer's own back end.
#include <fmt/format.h>

#include "host/netplan.hpp"
#include "resources/bond/bond.hpp"
#include "resources/netplan_file/netplan_file.hpp"
#include "resources/networkd_file/networkd_file.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string our_file = "/etc/netplan/90-rdmastate.yaml";

std::string with_ports(const std::string& more) {
  return "version: 1\nnetwork: {backend: netplan}\nmodules: {load: [ib_ipoib, bonding]}\nipoib:\n"
         "  - {name: ib1, mode: datagram, mtu: 2044}\n  - {name: ib2, mode: datagram, mtu: 2044}\n" +
         more;
}

std::string bonded(const std::string& more = "") {
  return with_ports("bonds:\n  - {name: bond0, ports: [ib1, ib2], " + more +
                    "ipv4: {method: manual, addresses: [198.51.100.1/28]}}\n");
}

class NetplanBond : public testing::Test {
 protected:
  NetplanBond() : host_(model_with_netplan("networkd")) { host_.model().modules.loadable.insert("bonding"); }
  void apply(const std::string& spec) {
    const Outcome outcome = apply_spec(host_, spec);
    ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  }
  void roll_back() {
    Host doors = host_.host();
    rollback(doors, /*force=*/false, deaf());
  }
  const Link* bond() {
    const RecordedLink* found = host_.model().find("bond0");
    return found == nullptr ? nullptr : &found->link;
  }
  void remove_bond() {
    Host doors = host_.host();
    doors.links->remove(Link(*bond()));
  }
  // Somebody has a bond of another mode under its name.
  void add_foreign_bond() {
    Link other;
    other.name = "bond0";
    other.type = 1;
    other.kind = "bond";
    other.mtu = 1500;
    other.bond = BondInfo{{0U, 0U, std::vector<IpAddress>{}}, BondMode::balance_rr};
    host_.model().modules.loaded.insert("bonding");
    host_.model().add({.link = other});
  }
  // The name of the bond that it is a port of, with a star behind it where it is the primary.
  std::string master_of(const std::string& port) {
    const Link& link = host_.model().find(port)->link;
    const RecordedLink* master = host_.model().find(link.master);
    if (master == nullptr) return "none";
    return std::string(master->link.name) + (master->link.bond->primary == link.index ? "*" : "");
  }
  std::string masters() { return master_of("ib1") + " " + master_of("ib2"); }
  std::string text(const std::string& path) {
    const auto found = host_.model().files.find(path);
    return found == host_.model().files.end() ? std::string() : found->second.bytes;
  }

  RecordedHost host_;
  const std::string drop_in_ = "/etc/systemd/network/10-netplan-ib2.network.d/rdmastate.conf";
};

TEST_F(NetplanBond, IsMadeOfNetplansPortsAndThenNothingIsToDo) {
  apply(bonded("primary: ib2, "));
  EXPECT_EQ(masters(), "bond0 bond0*");
  EXPECT_EQ(count_calls(host_, "creating the bond bond0"), 0U);
  EXPECT_NE(text(drop_in_).find("\n# Port=ib2\nBond=bond0\nPrimarySlave=yes\n"), std::string::npos) << text(drop_in_);
  EXPECT_NE(text(our_file).find("link-local: []"), std::string::npos) << text(our_file);
  EXPECT_TRUE(plan_spec(host_, bonded("primary: ib2, ")).steps.empty());
}

TEST_F(NetplanBond, OfAPortAndOfAChildHasBoth) {
  const std::string spec = with_ports(
      "  - {parent: ib2, pkey: 0x8002, mode: datagram, mtu: 2044}\n"
      "bonds:\n  - {name: bond0, ports: [ib1, ib2.8002], primary: ib2.8002}\n");
  apply(spec);
  EXPECT_EQ(masters(), "bond0 none");
  EXPECT_EQ(master_of("ib2.8002"), "bond0*");
  EXPECT_EQ(text(drop_in_).find("Bond="), std::string::npos);
  EXPECT_TRUE(plan_spec(host_, spec).steps.empty());
}

TEST_F(NetplanBond, ThatIsMadeAnewGetsThePortsWhoseDropInsAreThere) {
  apply(bonded("primary: ib2, "));
  remove_bond();
  apply(bonded("primary: ib2, "));
  EXPECT_EQ(masters(), "bond0 bond0*");
}

TEST_F(NetplanBond, GetsOtherOptionsFromRdmastate) {
  apply(bonded());
  const std::uint32_t index = bond()->index;
  apply(bonded("miimon: 300, "));
  EXPECT_EQ(bond()->bond->miimon, 300U);
  EXPECT_EQ(bond()->index, index);
}

TEST_F(NetplanBond, GoesWithItsRecordAndIsBackWithItsPortsAfterAnUndo) {
  apply(bonded("primary: ib2, "));
  apply(with_ports(""));
  EXPECT_EQ(bond(), nullptr);
  EXPECT_EQ(text(drop_in_), "");
  EXPECT_EQ(text(our_file).find("link-local: []"), std::string::npos) << text(our_file);
  roll_back();
  EXPECT_EQ(masters(), "bond0 bond0*");
}

TEST_F(NetplanBond, IsMadeWhereAPortHasAnAddress) {
  Address address;
  address.link = host_.model().find("ib1")->link.index;
  ASSERT_FALSE(Text<IpInterface>::read({"192.0.2.9/24", true}, address.value));
  host_.model().addresses.push_back(address);
  EXPECT_EQ(find_item(plan_spec(host_, bonded()), bond_kind, "bond bond0")->gap.blocked, "");
}

TEST_F(NetplanBond, OfOthersWithItsNameKeepsItsDropInsFromBeingWritten) {
  add_foreign_bond();
  const Plan plan = plan_spec(host_, bonded());
  const Item* item = find_item(plan, networkd_file_kind, drop_in_);
  ASSERT_NE(item, nullptr);
  EXPECT_NE(item->gap.blocked.find("bond0 is there with mode balance-rr"), std::string::npos);
}

// A child has made the drop-in before, so that is no step that netplan's file could wait for.
TEST_F(NetplanBond, OfOthersWithItsNameLeavesAPortItsAddress) {
  const std::string address = ", ipv4: {method: manual, addresses: [192.0.2.1/24]}";
  const auto with = [](const std::string& ip, const std::string& bond) {
    return "version: 1\nnetwork: {backend: netplan}\nmodules: {load: [ib_ipoib, bonding]}\nipoib:\n"
           "  - {name: ib2" +
           ip + "}\n  - {parent: ib2, pkey: 0x8002}\n" + bond;
  };
  apply(with(address, ""));
  ASSERT_NE(text(drop_in_), "");
  add_foreign_bond();
  const Plan plan = plan_spec(host_, with("", "bonds:\n  - {name: bond0, ports: [ib2]" + address + "}\n"));
  const Item* item = find_item(plan, netplan_file_kind, our_file);
  ASSERT_NE(item, nullptr);
  EXPECT_NE(item->gap.blocked.find("bond0 is there with mode balance-rr"), std::string::npos) << item->gap.blocked;
  EXPECT_FALSE(item->gap.move);
}

// What netplan is not asked to do now it does at the next boot, with networkd.
TEST_F(NetplanBond, WhereNetplanIsNotThereWaitsForTheBoot) {
  host_.model().files.erase(std::string(netplan_program_path));
  apply(bonded());
  EXPECT_NE(text(drop_in_).find("Bond=bond0"), std::string::npos);
  EXPECT_EQ(bond(), nullptr);
  const Plan plan = plan_spec(host_, bonded());
  const Item* item = find_item(plan, bond_kind, "bond bond0");
  ASSERT_NE(item, nullptr);
  EXPECT_NE(item->gap.pending.sentence.find("at the next boot, or by netplan apply"), std::string::npos);
}

}  // namespace
}  // namespace rdmastate
