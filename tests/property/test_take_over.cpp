// SPDX-License-Identifier: Apache-2.0
// --adopt on back ends whose files have an owner with more words than a spec: what the spec has no word for stays byte
// for byte, through the second apply, a change of the spec and rollback; what contradicts it is refused by name.
#include <fmt/format.h>

#include "plan/ledger.hpp"
#include "plan/print.hpp"
#include "resources/file/file.hpp"
#include "support/scene.hpp"

namespace rdmastate {
namespace {

const std::string profiles = "/etc/NetworkManager/system-connections/";

std::string spec_with(const std::string& addresses, const std::string& more = "") {
  return "version: 1\nnetwork: {backend: networkmanager}\nipoib:\n"
         "  - name: ib2\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: datagram\n"
         "    ipv4: {method: manual, addresses: [" +
         addresses + "]" + more + "}\n";
}

// As nmcli and people write them: comments, keys and sections that no spec has a word for.
const std::string by_hand =
    "# storage network, see the rack plan\n"
    "[connection]\nid=storage\nuuid=11111111-1111-5111-8111-111111111111\ntype=infiniband\nzone=internal\n"
    "autoconnect=false\npermissions=user:alice:;\ninterface-name=ib2\n\n"
    "[infiniband]\ntransport-mode=datagram\n\n"
    "[ipv4]\n# the filer's way\naddress1=198.51.100.1/28\nmethod=manual\n"
    "route1=203.0.113.0/24,198.51.100.14,50\nroute1_options=table=100,src=198.51.100.1\nnever-default=true\n\n"
    "[ipv6]\nmethod=ignore\nmay-fail=true\n\n[proxy]\n\n[x-site]\nowner=ops\n";

HostModel model_with(const std::string& path, const std::string& text, bool runs) {
  HostModel model = loaded_model();
  model.files[path] = {{FileType::regular, 0600, 0, 0}, text, {{"user.note", "keep"}}};
  if (runs) model.networkmanager.emplace();
  add_parents(model.files);
  return model;
}

PlanOptions adopting() {
  PlanOptions options;
  options.adopt = true;
  return options;
}

// The lines of `before` that `after` has, in their order, as a share of it.
bool keeps_lines(const std::string& before, const std::string& after) {
  std::istringstream was(before), is(after);
  std::string now;
  for (std::string line; std::getline(was, line);) {
    while (std::getline(is, now) && now != line) {
    }
    if (!is && now != line) return false;
  }
  return true;
}

class Profiles : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  std::string path() const {
    return profiles + (std::get<0>(GetParam()) == 0 ? "ib2.nmconnection" : "storage.nmconnection");
  }
  bool runs() const { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(TakeOver, Profiles, testing::Combine(testing::Values(0, 1), testing::Bool()));

TEST_P(Profiles, AreRefusedUnasked) {
  RecordedHost host(model_with(path(), by_hand, runs()));
  const std::string before = host.to_json();
  const Outcome outcome = apply_spec(host, spec_with("198.51.100.1/28"));
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_NE(outcome.message.find(path()), std::string::npos) << outcome.message;
  EXPECT_EQ(host.to_json(), before);
}

TEST_P(Profiles, KeepWhatASpecHasNoWordFor) {
  RecordedHost host(model_with(path(), by_hand, runs()));
  const FileContent start = host.model().files.at(path());
  const Outcome first = apply_spec(host, spec_with("198.51.100.1/28"), adopting());
  ASSERT_EQ(first.code, ExitCode::done) << first.message;
  const std::string once = host.model().files.at(path()).bytes;
  EXPECT_TRUE(keeps_lines(by_hand, once)) << once;
  EXPECT_EQ(host.model().files.at(path()).xattrs.at("user.note"), "keep");
  EXPECT_TRUE(plan_spec(host, spec_with("198.51.100.1/28")).is_empty()) << "silent without --adopt too";
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(host.model().files.at(path()), start);
}

TEST_P(Profiles, KeepItThroughAChangeOfTheSpec) {
  RecordedHost host(model_with(path(), by_hand, runs()));
  ASSERT_EQ(apply_spec(host, spec_with("198.51.100.1/28"), adopting()).code, ExitCode::done);
  const std::string changed = spec_with("198.51.100.2/28, 198.51.100.3/28", ", dns: [192.0.2.200]");
  const Outcome second = apply_spec(host, changed);
  ASSERT_EQ(second.code, ExitCode::done) << second.message;
  const std::string text = host.model().files.at(path()).bytes;
  std::string kept = by_hand;
  kept.erase(kept.find("address1="), std::string("address1=198.51.100.1/28\n").size());
  EXPECT_TRUE(keeps_lines(kept, text)) << text;
  EXPECT_EQ(text.find("198.51.100.1/28\n"), std::string::npos) << text;
  EXPECT_NE(text.find("198.51.100.2/28"), std::string::npos) << text;
  EXPECT_NE(text.find("dns=192.0.2.200;"), std::string::npos) << text;
  EXPECT_TRUE(plan_spec(host, changed).is_empty());
}

TEST_P(Profiles, KeepTheirNameUntilTheSpecGivesAnother) {
  RecordedHost host(model_with(path(), by_hand, runs()));
  const auto text = [&] { return host.model().files.at(path()).bytes; };
  ASSERT_EQ(apply_spec(host, spec_with("198.51.100.1/28"), adopting()).code, ExitCode::done);
  EXPECT_NE(text().find("\nid=storage\n"), std::string::npos) << text();
  const std::string named =
      spec_with("198.51.100.1/28") +
      "    profile: \"rack \\\\ 7\"\n    profile_settings: {connection.zone: trusted, ethtool.ring-rx: 512}\n";
  const Outcome outcome = apply_spec(host, named);
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  for (const char* line : {"\nid=rack \\\\ 7\n", "\nzone=trusted\n", "\n[ethtool]\nring-rx=512\n"})
    EXPECT_NE(text().find(line), std::string::npos) << line << text();
  EXPECT_EQ(text().find("zone=internal"), std::string::npos) << text();
  EXPECT_TRUE(plan_spec(host, named).is_empty());
}

TEST_P(Profiles, AreLetGoWhenTheSpecNoLongerNamesThem) {
  RecordedHost host(model_with(path(), by_hand, runs()));
  ASSERT_EQ(apply_spec(host, spec_with("198.51.100.1/28"), adopting()).code, ExitCode::done);
  const Outcome last = apply_spec(host, "version: 1\nmodules: {load: [ib_umad]}\n");
  ASSERT_EQ(last.code, ExitCode::done) << last.message;
  EXPECT_TRUE(host.model().files.contains(path())) << "what others made is never removed";
  Host doors = host.host();
  const Snapshot snapshot(doors);
  EXPECT_EQ(read_ledger(snapshot, read_facts(snapshot).machine_id).find("nm_profile", path()), nullptr);
}

TEST_P(Profiles, AreSomebodyElsesAgainOnAnotherBackEnd) {
  RecordedHost host(model_with(path(), by_hand, runs()));
  ASSERT_EQ(apply_spec(host, spec_with("198.51.100.1/28"), adopting()).code, ExitCode::done);
  std::string moved = spec_with("198.51.100.1/28");
  moved.replace(moved.find("networkmanager"), 14, "networkd");
  const Outcome refused = apply_spec(host, moved);
  EXPECT_EQ(refused.code, ExitCode::refused);
  EXPECT_NE(refused.message.find(path()), std::string::npos) << refused.message;
  const Outcome asked = apply_spec(host, moved, adopting());
  EXPECT_EQ(asked.code, ExitCode::done) << asked.message;
  EXPECT_FALSE(host.model().files.contains(path()));
}

struct Contradiction {
  const char* line;  ///< is put behind this section's header
  const char* section;
  const char* named;
};

TEST_P(Profiles, WhatContradictsTheSpecIsRefusedByName) {
  for (const auto& one : {Contradiction{"controller=bond0", "[connection]", "controller=bond0"},
                          Contradiction{"master=bond0", "[connection]", "master=bond0"},
                          Contradiction{"slave-type=bond", "[connection]", "slave-type=bond"},
                          Contradiction{"p-key=32770", "[infiniband]", "p-key=32770"},
                          Contradiction{"address2=198.51.100.9/28", "[ipv4]", "address2=198.51.100.9/28"}}) {
    std::string text = by_hand;
    text.insert(text.find(one.section) + std::string(one.section).size() + 1, std::string(one.line) + "\n");
    RecordedHost host(model_with(path(), text, runs()));
    const std::string before = host.to_json();
    const Outcome outcome = apply_spec(host, spec_with("198.51.100.1/28"), adopting());
    EXPECT_EQ(outcome.code, ExitCode::refused) << one.line;
    EXPECT_NE(outcome.message.find(one.named), std::string::npos) << outcome.message;
    EXPECT_EQ(host.to_json(), before) << one.line;
  }
}

// networkd's: the same of a port's .network file.
const std::string networks = "/etc/systemd/network/";
const std::string network_by_hand =
    "# storage network\n[Match]\nName=ib2\n\n[Link]\nRequiredForOnline=no\n\n"
    "[Network]\nDHCP=no\nAddress=198.51.100.1/28\nLLDP=yes\n\n"
    "[Route]\n# the filer's way\nDestination=203.0.113.0/24\nGateway=198.51.100.14\nMetric=50\nTable=100\n\n"
    "[Neighbor]\nAddress=198.51.100.9\nLinkLayerAddress=00:11:22:33:44:55\n";

std::string network_spec(const std::string& addresses, const std::string& more = "") {
  std::string text = spec_with(addresses, more);
  return text.replace(text.find("networkmanager"), 14, "networkd");
}

HostModel network_model(const std::string& path, const std::string& text, bool runs) {
  HostModel model = model_with(path, text, false);
  model.files[path].meta.mode = 0644;
  model.networkd = runs;
  return model;
}

class Networks : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  std::string path() const {
    return networks + (std::get<0>(GetParam()) == 0 ? "60-rdmastate-ib2.network" : "10-storage.network");
  }
  bool runs() const { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(TakeOver, Networks, testing::Combine(testing::Values(0, 1), testing::Bool()));

TEST_P(Networks, KeepWhatASpecHasNoWordFor) {
  RecordedHost host(network_model(path(), network_by_hand, runs()));
  const std::string start = seen(host);
  const std::string spec = network_spec("198.51.100.1/28", ", dns: [192.0.2.200]");
  EXPECT_EQ(apply_spec(host, spec).code, ExitCode::refused);
  const Outcome first = apply_spec(host, spec, adopting());
  ASSERT_EQ(first.code, ExitCode::done) << first.message;
  const std::string once = host.model().files.at(path()).bytes;
  EXPECT_TRUE(keeps_lines(network_by_hand, once)) << once;
  EXPECT_NE(once.find("DNS=192.0.2.200\n"), std::string::npos) << once;
  EXPECT_TRUE(plan_spec(host, spec).is_empty()) << "silent without --adopt too";
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(seen(host), start);
}

// Nothing of it is moved, so that only the ledger can tell.
TEST_P(Networks, WhatSaysAllOfItAlreadyIsTakenOverAsItIs) {
  if (std::get<0>(GetParam()) == 0) return;  // at our own path there is nothing to take from anybody
  RecordedHost host(network_model(path(), network_by_hand, runs()));
  const FileContent start = host.model().files.at(path());
  const std::string spec = network_spec("198.51.100.1/28");
  for (int time = 0; time < 2; ++time) {  // the first time other files are written too, and networkd is told
    EXPECT_EQ(apply_spec(host, spec).code, ExitCode::refused);
    const std::string told = plan_text(plan_spec(host, spec, adopting()), Paint(false));
    EXPECT_EQ(told.find("1 taken over") != std::string::npos, time == 1 || !runs()) << told;
    ASSERT_EQ(apply_spec(host, spec, adopting()).code, ExitCode::done);
    EXPECT_EQ(host.model().files.at(path()), start);
    const Plan again = plan_spec(host, spec);
    EXPECT_TRUE(again.is_empty() && again.refusals.empty()) << plan_text(again, Paint(false));
    host.model().files.erase("/etc/rdmastate/ledger.json");
  }
}

TEST_P(Networks, KeepItThroughAChangeOfTheSpec) {
  RecordedHost host(network_model(path(), network_by_hand, runs()));
  ASSERT_EQ(apply_spec(host, network_spec("198.51.100.1/28", ", dns: [192.0.2.200]"), adopting()).code, ExitCode::done);
  const std::string changed = network_spec("198.51.100.2/28");
  const Outcome second = apply_spec(host, changed);
  ASSERT_EQ(second.code, ExitCode::done) << second.message;
  const std::string text = host.model().files.at(path()).bytes;
  std::string kept = network_by_hand;
  kept.erase(kept.find("Address=198.51.100.1/28\n"), std::string("Address=198.51.100.1/28\n").size());
  EXPECT_TRUE(keeps_lines(kept, text)) << text;
  EXPECT_EQ(text.find("198.51.100.1/28"), std::string::npos) << text;
  EXPECT_NE(text.find("Address=198.51.100.2/28\n"), std::string::npos) << text;
  EXPECT_TRUE(plan_spec(host, changed).is_empty());
}

TEST_P(Networks, WhatContradictsTheSpecIsRefusedByName) {
  for (const auto& [line, named] : {std::pair("Bond=bond0", "Bond=bond0"), std::pair("Bridge=br0", "Bridge=br0"),
                                    std::pair("Address=198.51.100.9/28", "Address=198.51.100.9/28")}) {
    std::string text = network_by_hand;
    text.insert(text.find("LLDP=yes"), std::string(line) + "\n");
    RecordedHost host(network_model(path(), text, runs()));
    const std::string before = host.to_json();
    const Outcome outcome = apply_spec(host, network_spec("198.51.100.1/28"), adopting());
    EXPECT_EQ(outcome.code, ExitCode::refused) << line;
    EXPECT_NE(outcome.message.find(named), std::string::npos) << outcome.message;
    EXPECT_EQ(host.to_json(), before) << line;
  }
}

const std::string childs_network =
    "# by hand\n[Match]\nName=ib2.8002\n\n[Network]\nLLDP=yes\nAddress=198.51.100.33/28\n";
const std::string childs_netdev =
    "# by hand\n[NetDev]\nName=ib2.8002\nDescription=tenant 2\nKind=ipoib\n\n[IPoIB]\nPartitionKey=0x2\nX-Site=a\n";

// A child's two files beside its port's, which makes the child or is still to.
class Children : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  static constexpr const char* network = "10-child.network";
  static constexpr const char* netdev = "10-child.netdev";
  static bool runs() { return std::get<0>(GetParam()); }
  static bool is_made() { return std::get<1>(GetParam()); }
  static HostModel model(const std::string& netdev_text) {
    std::string port = network_by_hand;
    if (is_made()) port.insert(port.find("LLDP="), "IPoIB=ib2.8002\n");
    HostModel model = network_model(networks + "10-storage.network", port, runs());
    const FileContent like = model.files.at(networks + "10-storage.network");
    model.files[networks + network] = like;
    model.files[networks + network].bytes = childs_network;
    model.files[networks + netdev] = like;
    model.files[networks + netdev].bytes = netdev_text;
    RecordedHost host(model);
    if (runs()) host.host().networkd->reload();
    return host.model();
  }
  static std::string spec(const std::string& address, const std::string& more = "") {
    return network_spec("198.51.100.1/28") + "  - {parent: ib2, pkey: 0x8002" + more +
           ", ipv4: {method: manual, addresses: [" + address + "]}}\n";
  }
  static std::string text(const RecordedHost& host, const std::string& name) {
    return host.model().files.at(networks + name).bytes;
  }
};
INSTANTIATE_TEST_SUITE_P(TakeOver, Children, testing::Combine(testing::Bool(), testing::Bool()));

TEST_P(Children, BothFilesKeepWhatASpecHasNoWordFor) {
  RecordedHost host(model(childs_netdev));
  const std::string start = seen(host);
  EXPECT_EQ(apply_spec(host, spec("198.51.100.33/28")).code, ExitCode::refused);
  const Outcome outcome = apply_spec(host, spec("198.51.100.33/28"), adopting());
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_TRUE(keeps_lines(childs_netdev, text(host, netdev))) << text(host, netdev);
  EXPECT_TRUE(keeps_lines(childs_network, text(host, network))) << text(host, network);
  for (const char* name : {"60-rdmastate-ib2.8002.network", "60-rdmastate-ib2.8002.netdev"})
    EXPECT_FALSE(host.model().files.contains(networks + name)) << name;
  EXPECT_TRUE(plan_spec(host, spec("198.51.100.33/28")).is_empty());
  EXPECT_EQ(host.host().links->find("ib2.8002").has_value(), runs());
  Host doors = host.host();
  ASSERT_EQ(rollback(doors, false, deaf()).code, ExitCode::done);
  EXPECT_EQ(seen(host), start);
}

TEST_P(Children, KeepItThroughAChangeOfTheSpec) {
  RecordedHost host(model(childs_netdev));
  ASSERT_EQ(apply_spec(host, spec("198.51.100.33/28"), adopting()).code, ExitCode::done);
  const std::string changed = spec("198.51.100.34/28", ", umcast: true");
  const Outcome outcome = apply_spec(host, changed);
  ASSERT_EQ(outcome.code, ExitCode::done) << outcome.message;
  EXPECT_TRUE(keeps_lines(childs_netdev, text(host, netdev))) << text(host, netdev);
  EXPECT_NE(text(host, netdev).find("IgnoreUserspaceMulticastGroups=yes\n"), std::string::npos) << text(host, netdev);
  for (const char* part : {"LLDP=yes", "198.51.100.34/28", "# Parent=ib2\n"})
    EXPECT_NE(text(host, network).find(part), std::string::npos) << text(host, network);
}

TEST_P(Children, WhatContradictsTheSpecIsRefusedByName) {
  for (const auto& [said, instead] :
       {std::pair("PartitionKey=0x2", "PartitionKey=0x8003"), std::pair("Kind=ipoib", "Kind=dummy")}) {
    std::string theirs = childs_netdev;
    theirs.replace(theirs.find(said), std::string(said).size(), instead);
    RecordedHost host(model(theirs));
    const std::string before = host.to_json();
    const Outcome outcome = apply_spec(host, spec("198.51.100.33/28"), adopting());
    EXPECT_EQ(outcome.code, ExitCode::refused) << instead;
    EXPECT_NE(outcome.message.find(instead), std::string::npos) << outcome.message;
    EXPECT_EQ(host.to_json(), before) << instead;
  }
}

// 0x8002 for 32770, a gateway behind an address, other separators and blanks: what says the same is not written again.
TEST(TakeOver, LinesThatSayTheSameInOtherWordsStay) {
  const std::string by_hand_too =
      "[connection]\nid=tenant\nuuid=22222222-2222-5222-8222-222222222222\ntype=infiniband\ninterface-name=ib2.8002\n\n"
      "[infiniband]\np-key=0x8002\ntransport-mode = datagram\nparent=ib2\n\n"
      "[ipv4]\nmethod=manual\naddress7=198.51.100.33/28,198.51.100.46\ndns=192.0.2.200,192.0.2.201\n"
      "dns-search=example.com\nroute1=203.0.113.0/24\n\n[ipv6]\nmethod=disabled\n";
  RecordedHost host(model_with(profiles + "tenant.nmconnection", by_hand_too, true));
  const Plan plan = plan_spec(host,
                              spec_with("198.51.100.1/28") +
                                  "  - {parent: ib2, pkey: 0x8002, mode: datagram, ipv6: {method: disabled},"
                                  " ipv4: {method: manual, addresses: [198.51.100.33/28], gateway: 198.51.100.46,"
                                  " dns: [192.0.2.200, 192.0.2.201], search: [example.com],"
                                  " routes: [{to: 203.0.113.0/24}]}}\n",
                              adopting());
  const auto found = std::find_if(plan.items.begin(), plan.items.end(),
                                  [](const Item& item) { return item.key == profiles + "tenant.nmconnection"; });
  ASSERT_NE(found, plan.items.end());
  ASSERT_TRUE(found->gap.move && found->gap.move->to);
  const std::string text = file_of(*found->gap.move->to).content->value;
  EXPECT_TRUE(text.starts_with(by_hand_too + "\n[user]\n")) << text;
}

TEST(TakeOver, FilesOfManyInterfacesAreNeverTakenOver) {
  for (const char* match : {"[Match]\nName=ib2 enp1s0\n", "[Match]\nName=ib*\n", "[Match]\nType=infiniband\n"}) {
    RecordedHost host(network_model(networks + "10-all.network", match, true));
    const Outcome outcome = apply_spec(host, network_spec("198.51.100.1/28"), adopting());
    EXPECT_EQ(outcome.code, ExitCode::refused) << match;
    EXPECT_NE(outcome.message.find("it holds more than that"), std::string::npos) << outcome.message;
  }
}

TEST(Waiting, FilesAreRefusedBeforeTheFirstRound) {
  HostModel model = guide_model();  // where ib_ipoib is still to be loaded
  model.networkmanager.emplace();
  model.files[profiles + "mlx4_ib0.nmconnection"] = {{FileType::regular, 0600, 0, 0}, "[connection]\nid=a\n", {}};
  add_parents(model.files);
  RecordedHost host(model);
  const std::string before = host.to_json();
  std::string spec = spec_with("198.51.100.1/28") + "modules: {load: [ib_ipoib]}\n";
  spec.replace(spec.find("ib2"), 3, "mlx4_ib0");
  const Outcome outcome = apply_spec(host, spec);
  EXPECT_EQ(outcome.code, ExitCode::refused);
  EXPECT_EQ(host.to_json(), before);
}

}  // namespace
}  // namespace rdmastate
