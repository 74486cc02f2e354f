// SPDX-License-Identifier: Apache-2.0
// What the contract suites cannot arrange: other fabrics, ordered failures, counters, the clock.
#include <cerrno>

#include "recorded_hosts.hpp"

namespace rdmastate {
namespace {

class Recorded : public testing::Test {
 protected:
  RecordedHost recorded = make_small_host();
  Host host = recorded.host();
  Links& links = *host.links;

  Link link(const std::string& name) { return links.find(name).value_or(Link{}); }
  void create(const std::string& name, std::uint16_t pkey) { links.create({{}, link("ib0").index, name, {pkey}}); }
  void up(const std::string& name, bool wanted) {
    LinkChange change;
    change.up = wanted;
    links.change(link(name), change);
  }
  RdmaPort& port() { return recorded.model().devices.at(0).ports.at(0); }
};

TEST_F(Recorded, TheMtuFollowsTheGroupOfThePartition) {
  create("ib0.8002", 0x8002);
  create("ib0.8003", 0x8003);
  EXPECT_EQ(link("ib0.8002").mtu, 4092U);  // nothing joined yet
  up("ib0.8002", true);
  up("ib0.8003", true);
  EXPECT_EQ(link("ib0.8002").mtu, 2044U);
  EXPECT_EQ(link("ib0.8003").mtu, 4092U);
}

TEST_F(Recorded, LimitedMembershipIsEnoughForCarrier) {
  create("ib0.8003", 0x8003);  // the table has 0x0003
  up("ib0.8003", true);
  EXPECT_TRUE(link("ib0.8003").carrier);
}

TEST_F(Recorded, EnhancedIpoibRefusesConnectedAndLeavesNothingBehind) {
  recorded.model().find("ib0")->link.address[0] = 0;
  EXPECT_EQ(refusal([&] { links.create({{IpoibMode::connected, {}}, link("ib0").index, "x", {0x8002}}); }), EINVAL);
  EXPECT_FALSE(links.find("x"));
  LinkChange change;
  change.mode = IpoibMode::connected;
  EXPECT_EQ(refusal([&] { links.change(link("ib0"), change); }), EINVAL);
}

TEST_F(Recorded, CarrierFollowsPortTableAndSubnetManager) {
  create("ib0.8002", 0x8002);
  port().state = 1;
  up("ib0.8002", true);
  EXPECT_FALSE(link("ib0.8002").carrier);
  port().state = 4;
  recorded.fabric_changed();
  EXPECT_TRUE(link("ib0.8002").carrier);
  port().pkeys = {0xffff};
  recorded.fabric_changed();
  EXPECT_FALSE(link("ib0.8002").carrier);
  port().pkeys = {0xffff, 0x8002};
  port().sm_lid = 0;
  recorded.fabric_changed();
  EXPECT_FALSE(link("ib0.8002").carrier);
}

TEST_F(Recorded, AParentOutsideItsPartitionLeavesItsChildrenDown) {
  create("ib0.8002", 0x8002);
  port().pkeys = {0x8002};
  up("ib0", true);
  EXPECT_TRUE(link("ib0").up);
  EXPECT_FALSE(link("ib0.8002").up);
}

TEST_F(Recorded, LoadingIpoibMakesOneInterfacePerInfiniBandPort) {
  port().pkeys = {0x7fff};
  host.modules->unload({"ib_ipoib"});
  EXPECT_FALSE(links.find("ib0"));
  host.modules->load({"ib_ipoib"});
  const Link made = link("ib0");
  EXPECT_EQ(made.address.substr(0, 4), std::string("\x80\x00\x02\x08", 4));
  EXPECT_EQ(made.port_guid(), port().guid);
  EXPECT_EQ(made.ipoib, (IpoibInfo{{IpoibMode::datagram, false}, {0xffff}}));
  EXPECT_FALSE(made.up);
}

// modprobe runs the command of the first install line: of true it says that all went well, and nothing is loaded.
TEST_F(Recorded, AnInstallLineKeepsItsModuleAway) {
  const auto put = [&](const std::string& path, const std::string& text) {
    recorded.model().files["/etc/modprobe.d/" + path] = {{FileType::regular, 0644, 0, 0}, text, {}};
  };
  host.modules->unload({"ib_ipoib"});
  put("b.conf", "install ib_ipoib /usr/bin/true\n");
  host.modules->load({"ib_ipoib"});
  EXPECT_EQ(host.modules->status({"ib_ipoib"}), ModuleStatus::loadable);
  put("a.conf", "install ib_ipoib /bin/false\n");
  EXPECT_EQ(refusal([&] { host.modules->load({"ib_ipoib"}); }), EINVAL);
  put("a.conf", "install ib_ipoib /sbin/modprobe --ignore-install ib_ipoib\n");
  host.modules->load({"ib_ipoib"});
  EXPECT_EQ(host.modules->status({"ib_ipoib"}), ModuleStatus::loaded);
}

TEST_F(Recorded, AliasesAndDependenciesAreFollowed) {
  EXPECT_EQ(host.modules->status({"xprtrdma"}), ModuleStatus::loadable);
  host.modules->load({"xprtrdma"});
  EXPECT_EQ(host.modules->status({"rpcrdma"}), ModuleStatus::loaded);
  recorded.model().modules.in_use["rpcrdma"] = 1;
  EXPECT_EQ(refusal([&] { host.modules->unload({"xprtrdma"}); }), EWOULDBLOCK);
}

TEST_F(Recorded, WithoutIpv6ThereIsNone) {
  RecordedHost without = RecordedHost::from_json(
      R"({"format_version":1,"origin":"t","ipv6":false,"links":[{"name":"e","type":1,"mtu":1500,"up":true}]})", "x");
  Links& bare = *without.host().links;
  EXPECT_EQ(refusal([&] { bare.add(Address{1, interface_of("2001:db8::1/64"), true, false, false}); }), EOPNOTSUPP);
  LinkChange change;
  change.ipv6 = Ipv6Conf::disabled;
  EXPECT_EQ(refusal([&] { bare.change(*bare.find("e"), change); }), ENOENT);
}

TEST_F(Recorded, SysctlsOfTheRecordDecideWhatStays) {
  FileContent on;
  on.bytes = "1\n";
  recorded.model().files["/proc/sys/net/ipv6/conf/all/keep_addr_on_down"] = on;
  recorded.model().files["/proc/sys/net/ipv4/conf/all/promote_secondaries"] = on;
  const std::uint32_t eth0 = link("eth0").index;
  for (const char* one : {"2001:db8::1/64", "192.0.2.1/24", "192.0.2.2/24"})
    links.add(Address{eth0, interface_of(one), true, false, false});
  links.remove(Address{eth0, interface_of("192.0.2.1/24"), true, false, false});
  up("eth0", false);
  EXPECT_EQ(links.addresses(eth0).size(), 2U);
}

TEST_F(Recorded, AnOrderedFailureComesBeforeOrAfterTheEffect) {
  recorded.fail_call(1, EIO, When::before);
  EXPECT_EQ(refusal([&] { create("a", 0x8002); }), EIO);
  EXPECT_FALSE(links.find("a"));
  recorded.fail_call(2, ENOMEM, When::after);
  create("a", 0x8002);
  EXPECT_EQ(refusal([&] { create("b", 0x8002); }), ENOMEM);
  EXPECT_TRUE(links.find("b"));
  create("c", 0x8002);
  EXPECT_EQ(recorded.moves(), 4U);
  EXPECT_EQ(recorded.calls().front(), "creating a on ib0 with P_Key 0x8002");
}

// One message per kind of change: the mode stays when the name is refused.
TEST_F(Recorded, AChangeFailsInItsMiddle) {
  up("ib0", true);
  LinkChange change;
  change.mode = IpoibMode::connected;
  change.name = "other";
  EXPECT_EQ(refusal([&] { links.change(link("ib0"), change); }), EBUSY);
  EXPECT_EQ(link("ib0").ipoib->mode, IpoibMode::connected);
}

TEST_F(Recorded, ACrashIsNoErrorAndLeavesTemporaries) {
  FileContent file;
  file.bytes = "new";
  host.files.stage("/etc/hostname", file);
  recorded.crash_at(1, When::before);
  EXPECT_THROW(host.files.replace("/etc/hostname", file), OrderedCrash);
  EXPECT_EQ(host.files.read("/etc/hostname"), "small\n");
  EXPECT_EQ(host.files.list("/etc").size(), 2U);
  EXPECT_EQ(host.files.list("/etc").front(), ".hostname.rdmastate-0000000000000001");
  host.files.discard_staged();
  EXPECT_EQ(host.files.list("/etc"), std::vector<std::string>{"hostname"});
}

TEST_F(Recorded, ReadsAreCountedAndAreNoMoves) {
  links.dump();
  links.find("ib0");
  links.addresses(0);
  host.rdma->devices();
  host.files.read("/etc/hostname");
  host.modules->status({"ib_ipoib"});
  host.files.sync_staged();
  host.files.sync_directories();
  host.files.discard_staged();
  const ReadCounts wanted{0, 1, 1, 1, 0, 1, 0, 1, 1};
  EXPECT_EQ(recorded.reads(), wanted);
  EXPECT_EQ(recorded.moves(), 0U);
}

// systemctl mask makes such a link. Who made the record followed it, and found no file there.
TEST_F(Recorded, AMaskedUnitIsAbsentAndNotUnseen) {
  const std::string masked = "/etc/systemd/system/tmp.mount";
  const std::string elsewhere = "/etc/elsewhere";
  HostModel& model = recorded.model();
  for (const auto& path : {masked, elsewhere}) model.files[path] = {{FileType::symlink, 0777, 0, 0}, "/dev/null", {}};
  add_parents(model.files);
  model.holds = {"/etc/systemd/system/*.mount"};
  EXPECT_EQ(host.files.read(masked), std::nullopt);
  EXPECT_EQ(host.files.stamp(masked), std::nullopt);
  EXPECT_TRUE(host.files.meta(masked));
  EXPECT_EQ(refusal([&] { host.files.read(elsewhere); }), EACCES);
}

TEST_F(Recorded, AnInterfaceIsRenamedForItsPortToo) {
  recorded.model().netdevs[{"mlx4_0", 1}] = "eth0";
  LinkChange change;
  change.up = false;
  change.name = "storage0";
  links.change(link("eth0"), change);
  EXPECT_EQ(host.rdma->netdev("mlx4_0", 1), "storage0");
}

TEST_F(Recorded, ASoftDeviceTakesItsUsersAlong) {
  recorded.model().modules.loadable.insert("rdma_rxe");
  const SoftDevice device{SoftType::rxe, "eth0", "rxe0"};
  const auto use = [&] { recorded.model().users["rxe0"] = {{RdmaUser::What::queue_pair, 812, "perftest"}}; };
  host.rdma->add(device);
  use();
  host.modules->unload({"rdma_rxe"});
  host.rdma->add(device);
  EXPECT_TRUE(host.rdma->users("rxe0").empty());
  use();
  host.rdma->remove(device);
  host.rdma->add(device);
  EXPECT_TRUE(host.rdma->users("rxe0").empty());
}

TEST_F(Recorded, TimePassesOnlyByWaiting) {
  const auto before = host.clock.ticks();
  EXPECT_EQ(host.clock.ticks(), before);
  host.clock.sleep(std::chrono::milliseconds(1500));
  EXPECT_EQ(host.clock.ticks() - before, std::chrono::milliseconds(1500));
}

TEST_F(Recorded, MovingTheObjectKeepsItsDoors) {
  RecordedHost moved = std::move(recorded);
  EXPECT_EQ(host.files.read("/etc/hostname"), "small\n");
  EXPECT_EQ(moved.host().description, "recorded host small.json");
}

}  // namespace
}  // namespace rdmastate
