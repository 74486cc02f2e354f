// SPDX-License-Identifier: Apache-2.0
// What every implementation of Links does, kernel or not. The cases are in links_ipoib.cpp, links_network.cpp
// and links_fabric.cpp; an implementation joins by one .cpp with a LinksUnderTest of its own and
//   INSTANTIATE_TEST_SUITE_P(Recorded, IpoibContract, testing::Values(LinksFactory{"recorded", [] { return
//   ...; }}), links_factory_name);
// Numbers in the tests' names are those of tests/vm/README.md, "The facts": what Linux 6.1 was seen to do.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "host/host.hpp"

namespace rdmastate {

/// What is beneath an IPoIB parent's port, and others decide.
class Fabric {
 public:
  virtual ~Fabric() = default;
  virtual void grant(PKey pkey) = 0;
  virtual void revoke(PKey pkey) = 0;
  virtual void set_state(std::uint32_t state) = 0;  ///< 1 DOWN, 2 INIT, 4 ACTIVE
  virtual void set_subnet_manager(bool answers) = 0;
};

/// A host whose interfaces may be played with.
class LinksUnderTest {
 public:
  virtual ~LinksUnderTest() = default;
  virtual Host& host() = 0;
  /// An IPoIB parent on an ACTIVE port that supports connected mode and is granted at least one partition
  /// besides the default one; empty: there is none, and the IPoIB cases are skipped.
  virtual std::string ipoib_parent() = 0;
  /// An interface whose addresses and state the cases may change, with carrier when up; empty: a child of the
  /// parent is made for it.
  virtual std::string spare_link() = 0;
  /// An IPoIB parent whose driver has no connected mode (Enhanced IPoIB); empty: there is none, and its cases are
  /// skipped.
  virtual std::string enhanced_parent() { return {}; }
  /// A network device whose driver has DCB, flow control on no priority and no DSCP in its table; empty: there is none,
  /// and its cases are skipped.
  virtual std::string dcb_netdev() { return {}; }
  /// nullptr: it cannot be turned here, and its cases are skipped.
  virtual Fabric* fabric() { return nullptr; }
  /// Somebody else has a network namespace from now on, or no longer; false: that cannot be had here, and its cases are
  /// skipped.
  virtual bool set_other_namespace(bool /*there*/) { return false; }
};

struct LinksFactory {
  std::string name;
  std::function<std::unique_ptr<LinksUnderTest>()> make;
};

inline std::string links_factory_name(const testing::TestParamInfo<LinksFactory>& info) { return info.param.name; }
inline void PrintTo(const LinksFactory& factory, std::ostream* out) { *out << factory.name; }

/// The errno that `work` throws as a SystemError; 0 when it throws nothing.
template <class Work>
int errno_of(Work&& work) {
  try {
    work();
  } catch (const SystemError& error) {
    return error.number();
  }
  return 0;
}

/// Makes children named "rct*", and afterwards removes them and puts the parent back as it was.
class LinksContract : public testing::TestWithParam<LinksFactory> {
 protected:
  void TearDown() override;

  Links& links() { return *host.links; }
  Link need(const std::string& name);
  Link create(const std::string& name, PKey pkey, std::optional<IpoibMode> mode = std::nullopt);
  int create_refusal(const std::string& name, std::uint32_t parent, PKey pkey,
                     std::optional<IpoibMode> mode = std::nullopt);
  void set(const std::string& name, const LinkChange& change) { links().change(need(name), change); }
  int set_refusal(const std::string& name, const LinkChange& change);
  /// Carrier, link-local addresses and removals come a little later than the answer.
  bool settles(const std::function<bool()>& holds);
  bool gets_carrier(const std::string& name);
  /// A partition that the port has, or has not. The default partition does not count.
  PKey granted();
  PKey not_granted();
  std::vector<PKey> table();

  std::unique_ptr<LinksUnderTest> bed = GetParam().make();
  Host& host = bed->host();
  std::string parent = bed->ipoib_parent();

 private:
  std::vector<std::string> made_;
};

/// Needs a parent; skips without.
class IpoibContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  bool parent_was_up_ = false;
};

/// Needs a parent on a fabric that can be turned; puts it back.
class FabricContract : public IpoibContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  bool loses_carrier(const std::string& name);
  RdmaPort port();
  Fabric* fabric = nullptr;
  PKey later{};  ///< a partition that the port has not, and may be granted
};

/// Needs a parent, with two children "rct1" and "rct2"; a bond of them is "rctb".
class BondContract : public IpoibContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  /// Makes the bond, with MII monitoring; it is down and has no port.
  void make(std::uint32_t mtu);
  void join(const std::string& port) { links().set_master(need(port), need("rctb").index); }
};

/// Needs a parent without connected mode.
class EnhancedContract : public LinksContract {
 protected:
  void SetUp() override;
};

/// Needs any interface to play with.
class NetworkContract : public LinksContract {
 protected:
  void SetUp() override;
  void TearDown() override;
  void up(bool wanted);
  bool has(const IpInterface& address);
  bool is_tentative(const IpInterface& address);
  bool has(const IpNetwork& to, std::uint8_t protocol);
  void add(const IpInterface& address) { links().add(Address{index(), address, true, false, false}); }
  void remove(const IpInterface& address) { links().remove(Address{index(), address, true, false, false}); }
  Route route(const std::string& to, const std::string& via, std::uint32_t metric = 0);
  std::uint32_t index() { return need(spare).index; }
  std::string spare;
};

IpInterface contract_address(const std::string& text);
IpNetwork contract_network(const std::string& text);
IpAddress contract_ip(const std::string& text);

/// A change of one field.
inline LinkChange to_up(bool up) {
  LinkChange c;
  c.up = up;
  return c;
}
inline LinkChange to_mode(IpoibMode mode) {
  LinkChange c;
  c.mode = mode;
  return c;
}
inline LinkChange to_mtu(std::uint32_t mtu) {
  LinkChange c;
  c.mtu = mtu;
  return c;
}
inline LinkChange to_name(const std::string& name) {
  LinkChange c;
  c.name = name;
  return c;
}
inline LinkChange to_ipv6(Ipv6Conf conf) {
  LinkChange c;
  c.ipv6 = conf;
  return c;
}
inline LinkChange to_umcast(bool on) {
  LinkChange c;
  c.umcast = on;
  return c;
}

}  // namespace rdmastate
