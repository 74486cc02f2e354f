// SPDX-License-Identifier: Apache-2.0
// The contract of interfaces on the recorded host.
#include "connections_contract.hpp"
#include "dcb_contract.hpp"
#include "firewall_contract.hpp"
#include "host/ifupdown.hpp"
#include "host/recorded/recorded.hpp"
#include "ifupdown_contract.hpp"
#include "links_contract.hpp"
#include "managers_contract.hpp"
#include "modules_contract.hpp"
#include "nfsd_contract.hpp"
#include "rdma_contract.hpp"
#include "sriov_contract.hpp"
#include "timers_contract.hpp"
#include "unit/host/recorded_hosts.hpp"
#include "units_contract.hpp"

namespace rdmastate {
namespace {

class RecordedFabric final : public Fabric {
 public:
  explicit RecordedFabric(RecordedHost& host) : host_(host) {}
  void grant(PKey pkey) override {
    change([&](RdmaPort& port) { port.pkeys.push_back(pkey.value); });
  }
  void revoke(PKey pkey) override {
    change([&](RdmaPort& port) { std::erase(port.pkeys, pkey.value); });
  }
  void set_state(std::uint32_t state) override {
    change([&](RdmaPort& port) { port.state = state; });
  }
  void set_subnet_manager(bool answers) override {
    change([&](RdmaPort& port) { port.sm_lid = answers ? 1 : 0; });
  }

 private:
  template <class Change>
  void change(Change&& change) {
    const Guid guid = host_.model().find("ib0")->link.port_guid();
    for (auto& device : host_.model().devices)
      for (auto& port : device.ports)
        if (port.guid == guid) change(port);
    host_.fabric_changed();
  }
  RecordedHost& host_;
};

class RecordedLinksUnderTest final : public LinksUnderTest {
 public:
  explicit RecordedLinksUnderTest(std::string spare) : spare_(std::move(spare)) {
    RecordedLink vlan;
    vlan.link.name = spare_ + ".5";
    vlan.link.type = 1;
    vlan.link.kind = "vlan";
    if (!spare_.empty()) recorded_.model().add(vlan);
    RecordedLink doomed;
    doomed.link.name = spare_ + ".x";
    doomed.link.type = 1;
    doomed.link.kind = "veth";
    doomed.link.address = std::string("\x52\x54\0\x12\x34\x57", 6);
    if (!spare_.empty()) recorded_.model().add(doomed);
    if (!spare_.empty()) recorded_.model().find(spare_)->link.max_mtu = 9000;
    recorded_.model().devices.at(0).pci = "0000:3b:00.0";
    recorded_.model().devices.at(0).driver = "mlx5_core";
    recorded_.model().sriov["0000:3b:00.0"] = {4, /*autoprobe=*/true, {}, /*offset=*/250, /*stride=*/8};
    RdmaPort second;
    second.number = 2;
    second.link_layer = LinkLayer::ethernet;
    recorded_.model().devices.at(0).ports.push_back(second);
    for (auto& device : recorded_.model().devices)
      for (auto& port : device.ports)
        port.link_type = port.link_layer == LinkLayer::infiniband ? LinkType::infiniband : LinkType::ethernet;
    recorded_.model().modules.loadable.insert({"bonding", "ib_uverbs", "rdma_rxe", "rdma_cm", "siw"});
    recorded_.model().modules.depends["rdma_rxe"] = {"ib_core", "ib_uverbs"};
  }
  Host& host() override { return host_; }
  std::string ipoib_parent() override { return "ib0"; }
  std::string spare_link() override { return spare_; }
  std::string enhanced_parent() override {
    recorded_.model().find("ib0")->link.address[0] = 0;
    return "ib0";
  }
  Fabric* fabric() override { return &fabric_; }
  bool set_other_namespace(bool there) override {
    recorded_.model().other_namespaces.clear();
    if (there) recorded_.model().other_namespaces.emplace_back("/run/netns/blue");
    return true;
  }
  std::string dcb_netdev() override {
    TrafficClasses classes;
    classes.most = 8;
    classes.selection.fill(TrafficClasses::vendor);
    classes.bandwidth.fill(100);
    RecordedLink& eth0 = *recorded_.model().find("eth0");
    PortBuffers buffers;
    buffers.sizes[0] = 1U << 18U;
    buffers.total = 1U << 20U;
    eth0.dcb = DcbState{FlowControl{0, 8, 0, 0}, {}, classes, DcbxMode{}, buffers};
    eth0.flow_counters = {{"rx_discards_phy", 5}, {"tx_prio3_pause", 103}};
    return "eth0";
  }

 private:
  RecordedHost recorded_ = make_small_host();
  Host host_ = recorded_.host();
  RecordedFabric fabric_{recorded_};
  std::string spare_;
};

LinksFactory recorded(const std::string& name, const std::string& spare) {
  return {name, [spare] { return std::make_unique<RecordedLinksUnderTest>(spare); }};
}

INSTANTIATE_TEST_SUITE_P(Recorded, BondContract, testing::Values(recorded("host", "")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, DcbContract, testing::Values(recorded("host", "")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, EnhancedContract, testing::Values(recorded("host", "")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, FabricContract, testing::Values(recorded("host", "")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, IpoibContract, testing::Values(recorded("host", "")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, NetworkContract,
                         testing::Values(recorded("ipoib", ""), recorded("ethernet", "eth0")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, RdmaContract, testing::Values(recorded("ethernet", "eth0")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, SriovContract, testing::Values(recorded("host", "")), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Recorded, ModulesContract, testing::Values(recorded("host", "")), links_factory_name);

/// The small host with NetworkManager, systemd, firewalld and an NFS server running.
class RecordedManagersUnderTest final : public LinksUnderTest {
 public:
  RecordedManagersUnderTest() {
    FileContent directory;
    directory.meta = {FileType::directory, 0700, 0, 0};
    recorded_.model().files["/etc/NetworkManager/system-connections"] = directory;
    recorded_.model().files["/run/systemd/system"] = directory;
    add_parents(recorded_.model().files);
    recorded_.model().networkmanager.emplace();
    recorded_.model().nfsd = RecordedNfsd{{8, {{"tcp", 2049}}, 90}, {}};
    recorded_.model().systemd.emplace();
    const RecordedFirewalld::Zones zones{{"internal", {false, {}, {}, {{"ssh", {{22, 22, "tcp"}}}}}}};
    recorded_.model().firewall = RecordedFirewalld{zones, zones};
  }
  Host& host() override { return host_; }
  std::string ipoib_parent() override { return "ib0"; }
  std::string spare_link() override { return {}; }
  Fabric* fabric() override { return &fabric_; }

 private:
  RecordedHost recorded_ = make_small_host();
  Host host_ = recorded_.host();
  RecordedFabric fabric_{recorded_};
};

INSTANTIATE_TEST_SUITE_P(Recorded, NetworkManagerContract,
                         testing::Values(LinksFactory{"host",
                                                      [] { return std::make_unique<RecordedManagersUnderTest>(); }}),
                         links_factory_name);

INSTANTIATE_TEST_SUITE_P(Recorded, TimersContract,
                         testing::Values(LinksFactory{"host",
                                                      [] { return std::make_unique<RecordedManagersUnderTest>(); }}),
                         links_factory_name);

INSTANTIATE_TEST_SUITE_P(Recorded, UnitsContract,
                         testing::Values(LinksFactory{"host",
                                                      [] { return std::make_unique<RecordedManagersUnderTest>(); }}),
                         links_factory_name);

INSTANTIATE_TEST_SUITE_P(Recorded, NfsdContract,
                         testing::Values(LinksFactory{"host",
                                                      [] { return std::make_unique<RecordedManagersUnderTest>(); }}),
                         links_factory_name);

INSTANTIATE_TEST_SUITE_P(Recorded, FirewallContract,
                         testing::Values(LinksFactory{"host",
                                                      [] { return std::make_unique<RecordedManagersUnderTest>(); }}),
                         links_factory_name);

/// The small host with Debian's ifupdown.
class RecordedIfupdownUnderTest final : public LinksUnderTest {
 public:
  RecordedIfupdownUnderTest() {
    auto& files = recorded_.model().files;
    for (const auto sign : ifupdown_signs) files[std::string(sign)].meta.mode = 0755;
    files["/etc/network/interfaces.d"] = {{FileType::directory, 0755, 0, 0}, "", {}};
    add_parents(files);
  }
  Host& host() override { return host_; }
  std::string ipoib_parent() override { return "ib0"; }
  std::string spare_link() override { return {}; }

 private:
  RecordedHost recorded_ = make_small_host();
  Host host_ = recorded_.host();
};

INSTANTIATE_TEST_SUITE_P(Recorded, IfupdownContract,
                         testing::Values(LinksFactory{"host",
                                                      [] { return std::make_unique<RecordedIfupdownUnderTest>(); }}),
                         links_factory_name);

class RecordedConnectionsUnderTest final : public ConnectionsUnderTest {
 public:
  Host& host() override { return host_; }
  void begin_session(const IpAddress& both) override {
    Connection session;
    session.what = Connection::What::session;
    session.name = "812";
    session.type = "sshd";
    session.remotes = {both};
    session.local = both;
    recorded_.model().connections = {session};
  }

 private:
  RecordedHost recorded_ = make_small_host();
  Host host_ = recorded_.host();
};

INSTANTIATE_TEST_SUITE_P(Recorded, ConnectionsContract,
                         testing::Values(ConnectionsFactory{
                             "host", [] { return std::make_unique<RecordedConnectionsUnderTest>(); }}),
                         connections_factory_name);

}  // namespace
}  // namespace rdmastate
