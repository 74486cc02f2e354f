// SPDX-License-Identifier: Apache-2.0
// The contract on the kernel that runs: as root, in a guest with a fake adapter or in `unshare -n`, never on
// a host that matters. Without an IPoIB parent on an ACTIVE port the IPoIB cases are skipped; the interface
// named by RDMASTATE_CONTRACT_LINK (one end of a veth pair, say) is then the one to play with.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "connections_contract.hpp"
#include "dcb_contract.hpp"
#include "firewall_contract.hpp"
#include "ifupdown_contract.hpp"
#include "initrds_contract.hpp"
#include "links_contract.hpp"
#include "managers_contract.hpp"
#include "modules_contract.hpp"
#include "nfsd_contract.hpp"
#include "rdma_contract.hpp"
#include "sriov_contract.hpp"
#include "sys/live_host.hpp"
#include "timers_contract.hpp"
#include "units_contract.hpp"

namespace rdmastate {
namespace {

constexpr std::uint32_t port_active = 4;

/// In the default partition and at least one more.
bool is_usable(const RdmaPort& port) {
  return port.link_layer == LinkLayer::infiniband && port.state == port_active && port.pkeys.size() > 1;
}

/// The knobs of the adapter that the guest has (tests/vm/fake_hca).
class FakeAdapter final : public Fabric {
 public:
  FakeAdapter(const Root& root, std::string knobs) : root_(root), knobs_(std::move(knobs)) {}
  void grant(PKey pkey) override { turn("pkeys", "+" + to_text(pkey)); }
  void revoke(PKey pkey) override { turn("pkeys", "-" + to_text(pkey)); }
  void set_state(std::uint32_t state) override {
    turn("state", state == port_active ? "active" : state == 2 ? "init" : "down");
  }
  void set_subnet_manager(bool answers) override { turn("sm", answers ? "1" : "0"); }

 private:
  void turn(const std::string& knob, const std::string& value) { root_.write_attribute(knobs_ + knob, value + "\n"); }
  const Root& root_;
  std::string knobs_;
};

/// A process of its own in a network namespace of its own.
class OtherNamespace {
 public:
  OtherNamespace() {
    std::array<int, 2> made{};
    if (::pipe(made.data()) != 0 || (process_ = ::fork()) < 0) throw SystemError("starting a process", errno);
    UniqueFd ready{made[0]};
    const UniqueFd tell{made[1]};
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::unshare(CLONE_NEWNET) == 0 && ::write(tell.get(), "", 1) == 1) ::pause();
      ::_exit(1);
    }
    char byte = 0;
    if (::read(ready.get(), &byte, 1) != 1) throw Error("there is no other network namespace");
  }
  ~OtherNamespace() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  OtherNamespace(const OtherNamespace&) = delete;
  OtherNamespace& operator=(const OtherNamespace&) = delete;

 private:
  pid_t process_ = 0;
};

class LiveLinksUnderTest final : public LinksUnderTest {
 public:
  Host& host() override { return live_.host; }
  std::string ipoib_parent() override { return parent(true); }
  std::string enhanced_parent() override { return parent(false); }
  std::string spare_link() override {
    const char* name = std::getenv("RDMASTATE_CONTRACT_LINK");
    return name == nullptr ? "" : name;
  }
  std::string dcb_netdev() override { return live_.host.dcb->dcb("dcb0") ? "dcb0" : ""; }
  Fabric* fabric() override {
    const std::string knobs = "/sys/class/net/" + ipoib_parent() + "/device/fake/";
    if (!live_.host.files.meta(knobs + "pkeys")) return nullptr;
    fabric_ = std::make_unique<FakeAdapter>(live_.root, knobs);
    return fabric_.get();
  }
  bool set_other_namespace(bool there) override {
    other_.reset();
    if (there) other_.emplace();
    return true;
  }

 private:
  std::string parent(bool connected) {
    for (const auto& device : live_.host.rdma->devices())
      for (const auto& port : device.ports)
        for (const auto& link : live_.host.links->dump())
          if (is_usable(port) && link.is_ipoib() && !link.is_child() && link.port_guid() == port.guid &&
              link.supports_connected() == connected)
            return link.name;
    return {};
  }

  LiveHost live_;
  std::unique_ptr<FakeAdapter> fabric_;
  std::optional<OtherNamespace> other_;
};

/// This process itself by an SSH server's name, with both ends of a connection of its own.
class LiveConnectionsUnderTest final : public ConnectionsUnderTest {
 public:
  ~LiveConnectionsUnderTest() override { ::prctl(PR_SET_NAME, name_.data()); }
  Host& host() override { return live_.host; }
  void begin_session(const IpAddress& both) override {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    std::copy_n(both.bytes.begin(), sizeof address.sin_addr, reinterpret_cast<char*>(&address.sin_addr));
    socklen_t length = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(::bind(listener_.get(), plain, length), 0);
    ASSERT_EQ(::listen(listener_.get(), 1), 0);
    ASSERT_EQ(::getsockname(listener_.get(), plain, &length), 0);
    ASSERT_EQ(::connect(client_.get(), plain, length), 0);
    ASSERT_EQ(::prctl(PR_GET_NAME, name_.data()), 0);
    ASSERT_EQ(::prctl(PR_SET_NAME, "sshd"), 0);
  }

 private:
  static UniqueFd made() { return UniqueFd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)}; }
  LiveHost live_;
  UniqueFd listener_ = made();
  UniqueFd client_ = made();
  std::array<char, 16> name_{"contract_live"};
};

/// initramfs-tools and its own program that shows what an image holds.
class LiveInitrdsUnderTest final : public InitrdsUnderTest {
 public:
  Host& host() override { return live_.host; }
  std::string release() override {
    utsname name{};
    return ::uname(&name) == 0 && live_.host.files.meta("/boot/initrd.img-" + std::string(name.release)) ? name.release
                                                                                                         : "";
  }
  InitrdProgram program() override { return InitrdProgram::update_initramfs; }
  std::string image() override { return "/boot/initrd.img-" + release(); }
  std::optional<std::string> held(const std::string& path) override {
    const std::string directory = "/run/contract-initrd";
    const std::string command =
        "rm -rf " + directory + " && unmkinitramfs " + image() + " " + directory + " && cat " + directory + path;
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    if (!pipe) throw SystemError("running unmkinitramfs", errno);
    std::string text;
    for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) text += static_cast<char>(c);
    return text.empty() ? std::nullopt : std::optional(text);
  }

 private:
  LiveHost live_;
};

const LinksFactory live{"kernel", [] { return std::make_unique<LiveLinksUnderTest>(); }};

INSTANTIATE_TEST_SUITE_P(Live, BondContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, ConnectionsContract,
                         testing::Values(ConnectionsFactory{
                             "kernel", [] { return std::make_unique<LiveConnectionsUnderTest>(); }}),
                         connections_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, DcbContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, EnhancedContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, FabricContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, FirewallContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, InitrdsContract,
                         testing::Values(InitrdsFactory{"kernel",
                                                        [] { return std::make_unique<LiveInitrdsUnderTest>(); }}),
                         initrds_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, IfupdownContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, IpoibContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, NetworkContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, RdmaContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, SriovContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, NetworkManagerContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, TimersContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, UnitsContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, NfsdContract, testing::Values(live), links_factory_name);
INSTANTIATE_TEST_SUITE_P(Live, ModulesContract, testing::Values(live), links_factory_name);

}  // namespace
}  // namespace rdmastate

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
