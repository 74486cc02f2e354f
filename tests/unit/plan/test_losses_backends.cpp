// SPDX-License-Identifier: Apache-2.0
// An address, a route or a whole interface that goes is guarded alike on every back end, whatever the file is called
// that takes it away.
#include <fmt/format.h>

#include "resources/networkd_file/networkd_file.hpp"
#include "resources/nm_profile/nm_profile.hpp"
#include "support/scene.hpp"
#include "support/specs.hpp"

namespace rdmastate {
namespace {

constexpr const char* backends[] = {"none", "networkmanager", "networkd"};

std::string spec_for(const std::string& backend, const std::string& ipv4, const std::string& mode = "datagram") {
  return "version: 1\nnetwork: {backend: " + backend + "}\nipoib:\n  - {name: ib2" +
         (backend == "networkd" ? "" : ", mode: " + mode) + ", ipv4: {" + ipv4 + "}}\n";
}

const std::string two = "method: manual, addresses: [192.0.2.7/24, 198.51.100.7/24]";
const std::string one = "method: manual, addresses: [192.0.2.7/24]";

template <class T>
T as(const std::string& text) {
  T value;
  EXPECT_FALSE(Text<T>::read({text, true}, value)) << text;
  return value;
}

Connection connection(Connection::What what, const std::string& carries) {
  Connection made;
  made.what = what;
  made.name = what == Connection::What::session ? "812" : carries;
  made.type = what == Connection::What::session ? "sshd" : "nfs4";
  made.source = "198.51.100.9:/x";
  made.remotes = {as<IpAddress>("198.51.100.9")};
  made.local = as<IpAddress>("198.51.100.7");
  if (!carries.empty()) made.carries = {carries};
  return made;
}

// Applied with both addresses, and the interface as its owner then has it: up, with them, and a default route out of
// it. Another adapter's users and routes are not looked at.
class Losing {
 public:
  explicit Losing(const std::string& backend, const std::string& spec = "")
      : backend_(backend), host_(model_run_by(backend)) {
    EXPECT_EQ(apply_spec(host_, spec.empty() ? spec_for(backend, two) : spec).code, ExitCode::done) << backend;
    Host doors = host_.host();
    Link link = *doors.links->find("ib2");
    LinkChange up;
    up.up = true;
    doors.links->change(link, up);
    for (const auto& address : {"192.0.2.7/24", "198.51.100.7/24"}) {
      const Address made{link.index, as<IpInterface>(address)};
      const auto now = doors.links->addresses(link.index);
      const bool there = std::any_of(now.begin(), now.end(), [&](const Address& a) { return a.value == made.value; });
      if (!there) doors.links->add(made);
    }
    host_.model().users.clear();
    index_ = link.index;
  }

  RecordedHost& host() { return host_; }
  std::uint32_t index() const { return index_; }
  void connect(Connection::What what, const std::string& carries) {
    host_.model().connections = {connection(what, carries)};
  }
  Plan plan(const std::string& ipv4, PlanOptions options = {}) {
    return plan_spec(host_, spec_for(backend_, ipv4), options);
  }
  std::string refusals(const std::string& ipv4, PlanOptions options = {}) {
    return fmt::format("{}", fmt::join(plan(ipv4, options).refused(), "\n"));
  }

 private:
  std::string backend_;
  RecordedHost host_;
  std::uint32_t index_ = 0;
};

TEST(LossesOfBackends, ASessionsAddressIsGuarded) {
  for (const std::string backend : backends) {
    Losing losing(backend);
    losing.connect(Connection::What::session, "");
    EXPECT_NE(
        losing.refusals(one).find("this session (sshd, process 812, from 198.51.100.9) over ib2: --confirm-within"),
        std::string::npos)
        << backend << ": " << losing.refusals(one);
    PlanOptions options;
    options.confirm_within = 60;
    EXPECT_EQ(losing.refusals(one, options), "") << backend;
    EXPECT_EQ(losing.refusals(two), "") << backend << ": nothing goes";
  }
}

TEST(LossesOfBackends, AMountsSourceAddressIsGuarded) {
  for (const std::string backend : backends) {
    Losing losing(backend);
    losing.connect(Connection::What::mount, "/mnt");
    EXPECT_NE(losing.refusals(one).find("mount /mnt (nfs4 from 198.51.100.9:/x) over ib2: end it or take it elsewhere "
                                        "first, or let --in-use mlx4_1 interrupt it"),
              std::string::npos)
        << backend << ": " << losing.refusals(one);
    PlanOptions options;
    options.in_use = {"mlx4_1"};
    EXPECT_EQ(losing.refusals(one, options), "") << backend;
  }
}

TEST(LossesOfBackends, ARulesAddressIsGuarded) {
  for (const std::string backend : backends) {
    Losing losing(backend);
    Connection rule{Connection::What::rule, "100", "ip rule", "from 198.51.100.7 lookup 101"};
    rule.local = as<IpAddress>("198.51.100.7");
    losing.host().model().connections = {rule};
    EXPECT_NE(losing.refusals(one).find("would interrupt rule 100 (from 198.51.100.7 lookup 101) over ib2"),
              std::string::npos)
        << backend << ": " << losing.refusals(one);
    EXPECT_EQ(losing.refusals(two), "") << backend << ": nothing goes";
  }
}

TEST(LossesOfBackends, WhatCarriesTheSystemIsPendingWhateverTheFlags) {
  for (const std::string backend : backends)
    for (const std::string target : {"/", "/usr", "/var", "/var/lib/rdmastate"}) {
      Losing losing(backend);
      losing.connect(Connection::What::mount, target);
      PlanOptions options;
      options.in_use = {"mlx4_1"};
      options.confirm_within = 60;
      const Plan plan = losing.plan(one, options);
      std::string pending;
      for (const auto& item : plan.items) {
        if (item.gap.pending.sentence.starts_with(target + " is mounted")) pending = item.gap.pending.sentence;
        EXPECT_TRUE(item.loss.is_nothing()) << backend << " " << item.title();
      }
      EXPECT_NE(pending, "") << backend << " " << target;
      EXPECT_EQ(plan.refused(), std::vector<std::string>()) << backend << " " << target;
    }
}

TEST(LossesOfBackends, ADefaultRouteIsGuarded) {
  const std::string gateway = "method: manual, addresses: [192.0.2.7/24, 198.51.100.7/24], gateway: 192.0.2.254";
  for (const std::string backend : backends) {
    Losing losing(backend, spec_for(backend, gateway));
    auto& routes = losing.host().model().routes;
    std::erase_if(routes, [](const Route& route) { return route.to.is_default(); });
    Route route;
    route.to.address.family = Family::v4;
    route.via = as<IpAddress>("192.0.2.254");
    route.link = losing.index();
    routes.push_back(route);
    EXPECT_EQ(losing.refusals(gateway), "") << backend;
    EXPECT_NE(losing.refusals(two).find("the default route leaves by ib2"), std::string::npos)
        << backend << ": " << losing.refusals(two);
  }
}

TEST(LossesOfBackends, AreLimitedByMaxDisruption) {
  PlanOptions none;
  none.max_disruption = Disruption::none;
  for (const std::string backend : backends) {
    Losing losing(backend);
    EXPECT_NE(losing.refusals(one, none).find("disrupts: link; this run may disrupt at most: none"), std::string::npos)
        << backend << ": " << losing.refusals(one, none);
    EXPECT_EQ(losing.refusals(two, none), "") << backend;
    EXPECT_EQ(losing.refusals(one), "") << backend << ": nobody uses it";
  }
}

TEST(LossesOfBackends, AMethodThatEndsTakesWhatItGave) {
  const std::string lease = "method: auto";
  for (const std::string backend : {"networkmanager", "networkd"}) {
    Losing losing(backend, spec_for(backend, lease));
    for (auto& address : losing.host().model().addresses)
      if (address.link == losing.index()) address.permanent = false;
    losing.connect(Connection::What::session, "");
    EXPECT_EQ(losing.refusals(lease), "") << backend;
    EXPECT_NE(losing.refusals("method: disabled").find("this session"), std::string::npos)
        << backend << ": " << losing.refusals("method: disabled");
  }
}

// A cluster's address is in no file: what reapplies leaves it alone, what bounces names it.
TEST(LossesOfBackends, OthersAddressesAreSaid) {
  Losing losing("networkmanager");
  Host doors = losing.host().host();
  doors.links->add(Address{losing.index(), as<IpInterface>("192.0.2.77/24")});
  const auto touches = [&](const std::string& spec) {
    std::string said;
    for (const auto& item : plan_spec(losing.host(), spec).items)
      if (item.kind == &nm_profile_kind) said = fmt::format("{}", fmt::join(item.touches, ", "));
    return said;
  };
  EXPECT_EQ(touches(spec_for("networkmanager", one)), "address 198.51.100.7/24");
  EXPECT_NE(touches(spec_for("networkmanager", one, "connected")).find("address 192.0.2.77/24"), std::string::npos)
      << touches(spec_for("networkmanager", one, "connected"));
}

// Before 1.42 NetworkManager cannot leave others' addresses alone, so the profile is activated anew.
TEST(LossesOfBackends, AnOlderNetworkManagerBounces) {
  for (const bool old : {true, false}) {
    Losing losing("networkmanager");
    const std::string release = old ? "ID=rhel\nVERSION_ID=8.10\n" : "ID=rhel\nVERSION_ID=9.4\n";
    losing.host().model().files["/etc/os-release"] = {{FileType::regular, 0644, 0, 0}, release, {}};
    const std::string three = "method: manual, addresses: [192.0.2.7/24, 198.51.100.7/24, 192.0.2.8/24]";
    for (const auto& item : losing.plan(three).items)
      if (item.kind == &nm_profile_kind) {
        EXPECT_EQ(item.loss.links.empty(), !old);
        EXPECT_EQ(item.disruption, old ? Disruption::link : Disruption::none);
      }
  }
}

// A step that was held back has written and loaded the file, and its interface runs the version before it. What that
// one says is not known: it is activated anew, the plan says so, and what carries the system still waits.
TEST(LossesOfBackends, AnOlderVersionOfTheProfileBounces) {
  Losing losing("networkmanager");
  losing.connect(Connection::What::mount, "/");
  const std::string connected = spec_for("networkmanager", two, "connected");
  const auto profile = [&] {
    const Plan plan = plan_spec(losing.host(), connected);
    for (const auto& item : plan.items)
      if (item.kind == &nm_profile_kind) return std::pair(item.gap.pending.sentence, item.disruption);
    return std::pair(std::string("no profile"), Disruption::none);
  };
  EXPECT_EQ(apply_spec(losing.host(), connected).code, ExitCode::done);
  EXPECT_TRUE(profile().first.starts_with("/ is mounted")) << profile().first;
  EXPECT_EQ(profile().second, Disruption::none);
  losing.host().model().connections.clear();
  EXPECT_EQ(profile(), std::pair(std::string(), Disruption::link));
  const std::size_t before = losing.host().moves();
  EXPECT_EQ(apply_spec(losing.host(), connected).code, ExitCode::done);
  std::string moved;
  for (std::size_t i = before; i < losing.host().moves(); ++i) moved += losing.host().calls()[i] + "\n";
  EXPECT_NE(moved.find("activating profile"), std::string::npos) << moved;
  EXPECT_EQ(moved.find("reapplying"), std::string::npos) << moved;
}

// networkd begins with an interface that somebody made by hand.
TEST(LossesOfBackends, NetworkdTakesOffWhatItFinds) {
  HostModel model = loaded_model();
  model.networkd = true;
  model.files["/etc/systemd/network"] = {{FileType::directory, 0755, 0, 0}, "", {}};
  add_parents(model.files);
  RecordedHost host(std::move(model));
  Host doors = host.host();
  const Link link = *doors.links->find("ib2");
  LinkChange up;
  up.up = true;
  doors.links->change(link, up);
  doors.links->add(Address{link.index, as<IpInterface>("192.0.2.7/24")});
  doors.links->add(Address{link.index, as<IpInterface>("198.51.100.7/24")});
  host.model().users.clear();
  const Plan plan = plan_spec(host, spec_for("networkd", one));
  for (const auto& item : plan.items)
    if (item.kind == &networkd_file_kind) {
      ASSERT_EQ(item.loss.addresses.size(), 1U) << item.key;
      EXPECT_EQ(to_text(item.loss.addresses[0].value), "198.51.100.7/24");
      EXPECT_TRUE(item.loss.links.empty());
    }
}

/// The interfaces that go down by the step on a file of networkd.
std::vector<std::uint32_t> links_lost(RecordedHost& host, const std::string& spec, const std::string& file) {
  for (const auto& item : plan_spec(host, spec).items)
    if (item.kind == &networkd_file_kind && item.key.ends_with("/" + file)) return item.loss.links;
  ADD_FAILURE() << "no step on " << file;
  return {};
}

const std::string port = "version: 1\nnetwork: {backend: networkd}\nipoib:\n  - {name: ib2}\n";
const std::string port_and_child = port + "  - {parent: ib2, pkey: 0x8001}\n";

// networkd failed on the child, so no .network file of it counts: its .netdev file takes it away all the same.
TEST(LossesOfBackends, AChildIsGuardedWhateverNetworkdRunsOnIt) {
  Losing losing("networkd", port_and_child);
  Host doors = losing.host().host();
  const auto child = doors.links->find("ib2.8001");
  ASSERT_TRUE(child);
  LinkChange up;
  up.up = true;
  doors.links->change(*child, up);
  losing.host().model().files.erase(networkd_link_path(child->index));
  const std::string file = "60-rdmastate-ib2.8001.netdev";
  EXPECT_EQ(links_lost(losing.host(), port, file), std::vector{child->index});
  losing.host().model().networkd = false;
  EXPECT_EQ(links_lost(losing.host(), port, file), std::vector<std::uint32_t>()) << "only the file goes";
}

// Since systemd 257 networkd configures the parent anew as well, also where the child is gone: what others gave it
// goes. The address in its file stays. A release that rdmastate does not know yet may have that version.
TEST(LossesOfBackends, AChangedChildsFileTakesOffWhatOthersGaveItsParent) {
  const auto spec = [](const std::string& umcast) {
    return "version: 1\nnetwork: {backend: networkd}\nipoib:\n  - {name: ib2, ipv4: {" + one +
           "}}\n  - {parent: ib2, pkey: 0x8001, umcast: " + umcast + "}\n";
  };
  struct Case {
    const char* release;
    bool old;
    bool child_is_there;
  };
  for (const auto& [release, old, child_is_there] :
       {Case{"ID=debian\nVERSION_ID=12\n", true, true}, Case{"ID=debian\nVERSION_ID=13\n", false, true},
        Case{"ID=ubuntu\nVERSION_ID=24.04\n", true, true}, Case{"ID=ubuntu\nVERSION_ID=26.04\n", false, true},
        Case{"ID=debian\nVERSION_ID=13\n", false, false}}) {
    SCOPED_TRACE(fmt::format("{}, child: {}", release, child_is_there));
    Losing losing("networkd", spec("false"));
    losing.host().model().files["/etc/os-release"] = {{FileType::regular, 0644, 0, 0}, release, {}};
    Host doors = losing.host().host();
    if (!child_is_there) doors.links->remove(*doors.links->find("ib2.8001"));
    losing.connect(Connection::What::session, "");
    const Plan plan = plan_spec(losing.host(), spec("true"));
    EXPECT_EQ(plan.refused().empty(), old) << "the session is over 198.51.100.7";
    for (const auto& item : plan.items) {
      if (!item.key.ends_with("/60-rdmastate-ib2.8001.netdev")) continue;
      std::string lost;
      for (const auto& address : item.loss.addresses) lost += to_text(address.value);
      EXPECT_EQ(lost, old ? "" : "198.51.100.7/24");
      EXPECT_TRUE(item.loss.links.empty());
    }
  }
}

// networkd that failed on an interface has taken its file all the same, and takes the addresses with it.
TEST(LossesOfBackends, AnInterfaceThatNetworkdFailedOnIsGuarded) {
  Losing losing("networkd");
  losing.connect(Connection::What::mount, "/mnt");
  auto& state = losing.host().model().files.at(networkd_link_path(losing.index())).bytes;
  const std::size_t at = state.find("ADMIN_STATE=");
  ASSERT_NE(at, std::string::npos) << state;
  state.replace(at, state.find('\n', at) - at, "ADMIN_STATE=failed");
  const std::string none = "version: 1\nnetwork: {backend: networkd}\nipoib: []\n";
  const std::string refusals = fmt::format("{}", fmt::join(plan_spec(losing.host(), none).refused(), "\n"));
  EXPECT_NE(refusals.find("would interrupt mount /mnt"), std::string::npos) << refusals;
}

// A drop-in goes with the file of another name that it adds to.
TEST(LossesOfBackends, APortOfNetplansThatNetworkdFailedOnIsGuarded) {
  const auto spec = [](const std::string& child) {
    return "version: 1\nnetwork: {backend: netplan}\nipoib:\n  - {name: ib2, ipv4: {" + two + "}}\n" + child;
  };
  Losing losing("netplan", spec("  - {parent: ib2, pkey: 0x8001}\n"));
  auto& state = losing.host().model().files.at(networkd_link_path(losing.index())).bytes;
  const std::size_t at = state.find("ADMIN_STATE=configured");
  ASSERT_NE(at, std::string::npos) << state;
  state.replace(at, std::string_view("ADMIN_STATE=configured").size(), "ADMIN_STATE=failed");
  const auto lost = links_lost(losing.host(), spec(""), "rdmastate.conf");
  EXPECT_EQ(std::count(lost.begin(), lost.end(), losing.index()), 1);
}

// The kernel allows one child in a partition: that of another name is removed before networkd makes its own.
TEST(LossesOfBackends, AChildThatMakesWayIsGuarded) {
  Losing losing("networkd", port_and_child);
  Host doors = losing.host().host();
  doors.links->remove(*doors.links->find("ib2.8001"));
  NewIpoib wanted;
  wanted.name = "stor";
  wanted.parent = losing.index();
  wanted.pkey = as<PKey>("0x8001");
  doors.links->create(wanted);
  const Link stor = *doors.links->find("stor");
  LinkChange up;
  up.up = true;
  doors.links->change(stor, up);
  EXPECT_EQ(links_lost(losing.host(), port_and_child, "60-rdmastate-ib2.8001.network"), std::vector{stor.index});
}

}  // namespace
}  // namespace rdmastate
