// SPDX-License-Identifier: Apache-2.0
// Fixed pairs of spec and host that between them take every path of a mover.
#pragma once

#include <fmt/format.h>

#include "host/netplan.hpp"
#include "support/random_spec.hpp"
#include "support/scene.hpp"

namespace rdmastate {

struct RichCase {
  const char* name;
  std::string before;  ///< a spec that was applied first; empty: none
  std::string spec;
  HostPart host;
  std::string manager = {};  ///< networkmanager, networkd, or netplan (over networkd): it runs
  bool restarts = false;     ///< services may be restarted
};

inline void PrintTo(const RichCase& one, std::ostream* out) { *out << one.name; }

inline std::string rdma(const std::string& first, const std::string& second, const std::string& soft) {
  return "rdma: {netns: exclusive}\ndevices:\n  - {match: {node_guid: \"f452:1403:007b:cba0\"}, name: " + first +
         ", ports: {2: {mtu: 4200, roce: {default_mode: v1, tos: 106}, qos: {trust: dscp, pfc: [3], dscp: {26: 3}, priorities: {4: 3}, classes: {0: 50%, 3: 50%}, priority_buffers: {4: 1}, buffers: {1: 100000B}}}}}\n  - {match: {node_guid: \"0002:c903:0031:78f0\"}, name: " +
         second +
         ", ports: {1: {link_type: infiniband}, 2: {link_type: ethernet}}}\nsoft_devices:\n  - {name: " + soft +
         ", type: rxe, netdev: enp1s0}\n";
}

inline std::string memlock(const std::string& member) {
  return "version: 1\nmemlock: {group: rdma, members: [" + member +
         "], soft: 64GiB, hard: unlimited, services: [slurmd.service]}\npermissions: {umad: {group: daemon}}\n";
}

inline std::vector<RichCase> rich_cases() {
  const std::string head = "version: 1\nnetwork: {backend: none}\nmodules: {load: [ib_ipoib, ib_umad]}\nipoib:\n";
  const std::string port =
      "  - name: mlx4_ib0\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: connected\n    mtu: 65520\n    umcast: true\n"
      "    ipv4: {method: manual, addresses: [198.51.100.1/28, 198.51.100.2/28, 198.51.100.17/28], gateway: 198.51.100.14}\n"
      "    ipv6: {method: auto}\n";
  const std::string child =
      "  - parent: mlx4_ib0\n    pkey: 0x8002\n    mode: datagram\n    mtu: 2044\n"
      "    ipv4: {method: manual, addresses: [198.51.100.33/28], routes: [{to: 203.0.113.0/28, via: 198.51.100.46, metric: 50}]}\n"
      "    ipv6: {method: manual, addresses: [\"2001:db8:1::1/64\"], routes: [{to: \"2001:db8:f1::/48\", via: \"2001:db8:1::ff\"}]}\n";
  const std::string other =
      "  - parent: mlx4_ib0\n    pkey: 0x8003\n    name: storage\n    umcast: true\n    ipv6: {method: disabled}\n";
  const std::string plain =
      "  - name: mlx4_ib0\n    match: {port_guid: \"f452:1403:007b:cba1\"}\n    mode: datagram\n"
      "    ipv4: {method: manual, addresses: [198.51.100.2/28]}\n    ipv6: {method: disabled}\n";
  std::string calm = port;  // whose mode may be changed: the default route does not leave by it
  calm.erase(calm.find(", gateway"), calm.find('}', calm.find(", gateway")) - calm.find(", gateway"));
  calm.erase(calm.find("    umcast: true\n"), std::string("    umcast: true\n").size());
  const std::string nm_child = child;
  std::string without_umad = head;  // whose module comes with the removal, and stays or goes by itself
  without_umad.erase(without_umad.find(", ib_umad"), std::string(", ib_umad").size());
  const auto on = [&](const std::string& backend, const std::string& records) {
    std::string text = head + records;  // under the name that it has: a recorded host has no udev
    for (std::size_t at = text.find("mlx4_ib0"); at != std::string::npos; at = text.find("mlx4_ib0"))
      text.replace(at, std::string("mlx4_ib0").size(), "ib2");
    return text.replace(text.find("none"), 4, backend);
  };
  const std::string round =  // each takes the name that the next one has
      "  - {name: ib1, match: {port_guid: \"0002:c903:0031:78f1\"}}\n"
      "  - {name: ib2, match: {port_guid: \"0002:c903:0031:78f2\"}}\n"
      "  - {name: ib0, match: {port_guid: \"f452:1403:007b:cba1\"}, ipv4: {method: manual, addresses: [198.51.100.1/28]}}\n";
  const std::string by_name =
      "  - {name: ib2, mode: datagram, ipv4: {method: manual, addresses: [198.51.100.1/28]}}\n"
      "  - {parent: ib2, pkey: 0x8002, ipv4: {method: manual, addresses: [198.51.100.33/28], "
      "routes: [{to: 203.0.113.0/28, via: 198.51.100.46}]}}\n";
  const auto bonded = [&](const std::string& ports, const std::string& more) {
    return head +
           "  - {name: ib0, mode: datagram, mtu: 2044}\n  - {name: ib1, mode: datagram, mtu: 2044}\n"
           "  - {name: ib2, mode: datagram, mtu: 2044}\n"
           "  - {parent: ib2, pkey: 0x8002, mtu: 2044, ipv6: {method: manual, addresses: [\"2001:db8:1::1/64\"]}}\n"
           "bonds:\n  - {name: bond0, ports: [" +
           ports + "], " + more +
           "ipv4: {method: manual, addresses: [198.51.100.1/28], routes: [{to: 203.0.113.0/28, via: 198.51.100.14}]}}\n";
  };
  const std::string bond = bonded("ib1, ib2", "primary: ib2, ipv6: {method: disabled}, ");
  std::string calm_bond = bonded("ib1, ib2", "primary: ib2, ");  // without a route
  calm_bond.erase(calm_bond.find(", routes: [{to: 203"),
                  std::string(", routes: [{to: 203.0.113.0/28, via: 198.51.100.14}]").size());
  const std::string one_port = head + "  - {name: ib1, mode: datagram, mtu: 2044}\n";
  const auto by_nm = [](std::string spec) { return spec.replace(spec.find("none"), 4, "networkmanager"); };
  const auto by_loader = [](std::string spec,
                            const char* backend) {  // which loads the driver, and unloads it in no undo
    spec.replace(spec.find("none"), 4, backend);
    return spec.insert(spec.find("ib_umad"), "bonding, ");
  };
  const auto by_networkd = [&](const std::string& spec) { return by_loader(spec, "networkd"); };
  const auto by_wicked = [&](const std::string& spec) { return by_loader(spec, "wicked"); };
  const auto by_netplan = [&](const std::string& spec) { return by_loader(spec, "netplan"); };
  const HostPart bare{};
  HostPart image;
  image.initrd = true;
  const auto options = [](int size, const std::string& more) {
    return fmt::format("version: 1\nmodules: {{block: [rds_rdma], options: {{ib_ipoib: {{recv_queue_size: {}}}}}}}\n{}",
                       size, more);
  };
  HostPart exports;
  exports.nfs = true;
  HostPart walled = exports;  // behind a firewalld that runs, or does not
  walled.firewall = 2;
  HostPart stopped_wall = exports;
  stopped_wall.firewall = 1;
  HostPart serving = exports;
  serving.serving = true;
  const auto server = [](const std::string& more) { return "version: 1\nnfs: {server: {" + more + "}}\n"; };
  const std::string projects =
      "{path: /nfs/projects, clients: [{host: 192.0.2.0/24, options: [rw]}, {host: \"@nodes\"}]}";
  const std::string other_path = "{path: /nfs/b, clients: [{host: 192.0.2.0/24, options: [rw]}]}";
  const auto mounts = [](const std::string& option, bool automount) {
    return fmt::format(
        "version: 1\nnfs: {{client: {{mounts: [{{source: \"server.example.com:/nfs\", target: /mnt/a-b, options: [{}], "
        "automount: {}}}, {{source: \"[2001:db8::5]:/\", target: \"/srv/c d\"}}]}}}}\n",
        option, automount);
  };
  const auto vfs = [](const std::string& sriov) {
    return "version: 1\ndevices:\n  - {match: {node_guid: \"f452:1403:007b:cba0\"}, ports: {1: {sriov: {" + sriov +
           "}}}}\n";
  };
  const HostPart loaded{true, false, false, false};
  const HostPart busy{true, true, true, false};
  const HostPart promoting{true, true, true, true};
  return {
      {"Fresh", "", head + port + child + other, bare},
      {"Loaded", "", head + port + child + other, loaded},
      {"OthersWork", "", head + port + child + other, busy},
      {"OthersWorkPromoting", "", head + plain + child, promoting},
      {"Removal", head + port + child + other, head + port + other, bare},
      {"RemovalWithModule", without_umad + port + child, head + port, loaded},
      {"Change", head + calm + child, head + plain + child + other, loaded},
      {"ByName", "", head + by_name, loaded},
      {"NamesGoRound", "", head + round, loaded},
      {"Bond", "", bond, bare},
      {"BondLoaded", "", bond, loaded},
      {"BondChanged", bond, bonded("ib0, ib2", "arp_interval: 500, arp_targets: [198.51.100.14], "), loaded},
      {"BondGone", bond, one_port, loaded},
      {"AllGone", head + port + child + other, "version: 1\n", bare},
      {"Rdma", "", "version: 1\n" + rdma("store_a", "store_b", "rxe0"), bare},
      {"RdmaChanged", "version: 1\n" + rdma("store_a", "store_b", "rxe0"),
       "version: 1\n" + rdma("store_b", "store_a", "rxe_fast"), bare},
      {"RdmaGone", "version: 1\n" + rdma("store_a", "store_b", "rxe0"), "version: 1\n", bare},
      {"Vfs", "",
       vfs("vfs: 2, guids: [{node: 0xf452140300000010, port: 0xf452140300000011}, {node: 0xf452140300000020}]"), bare},
      {"VfsChanged", vfs("vfs: 2, guids: [{node: 0xf452140300000010}, {node: 0xf452140300000020}]"),
       vfs("vfs: 2, guids: [{node: 0xf452140300000010}, {node: 0xf452140300000030}], link_state: enable"), loaded},
      {"VfsMore", vfs("vfs: 1, link_state: disable"), vfs("vfs: 3, autoprobe: false"), loaded},
      {"VfsNone", vfs("vfs: 2"), vfs("vfs: 0"), loaded},
      {"VfsGone", vfs("vfs: 2"), "version: 1\n", loaded},
      {"NmFresh", "", on("networkmanager", calm + nm_child), loaded, "networkmanager"},
      {"NmWithModule", "", on("networkmanager", calm + nm_child), bare, "networkmanager"},
      {"NmChange", on("networkmanager", plain + nm_child), on("networkmanager", calm), loaded, "networkmanager"},
      {"NmBond", "", by_nm(bond), loaded, "networkmanager"},
      {"NmBondGone", by_nm(bond), by_nm(one_port), loaded, "networkmanager"},
      {"NmStopped", "", on("networkmanager", calm + nm_child), loaded},
      {"NetworkdFresh", "", on("networkd", plain + child + other), loaded, "networkd"},
      {"NetworkdWithModule", "", on("networkd", plain + child), bare, "networkd"},
      {"NetworkdChange", on("networkd", plain + child), on("networkd", plain + other), loaded, "networkd"},
      {"NetworkdGone", on("networkd", plain + child), "version: 1\n", loaded, "networkd"},
      {"NetworkdBond", "", by_networkd(calm_bond), loaded, "networkd"},
      {"NetworkdBondChanged", by_networkd(calm_bond),
       by_networkd(bonded("ib1", "arp_interval: 500, arp_targets: [198.51.100.14], ")), loaded, "networkd"},
      {"NetworkdBondGone", by_networkd(calm_bond), by_networkd(one_port), loaded, "networkd"},
      {"NetworkdBondTakenOver", calm_bond, by_networkd(calm_bond), loaded, "networkd"},
      {"NetworkdBondLeft", by_networkd(calm_bond), calm_bond, loaded, "networkd"},
      {"NetplanBond", "", by_netplan(calm_bond), loaded, "netplan"},
      {"NetplanBondChanged", by_netplan(calm_bond),
       by_netplan(bonded("ib1", "arp_interval: 500, arp_targets: [198.51.100.14], ")), loaded, "netplan"},
      {"NetplanBondGone", by_netplan(calm_bond), by_netplan(one_port), loaded, "netplan"},
      {"NetplanBondLeft", by_netplan(calm_bond), calm_bond, loaded, "netplan"},
      {"WickedBond", "", by_wicked(calm_bond), loaded, "wicked"},
      {"WickedBondChanged", by_wicked(calm_bond), by_wicked(one_port), loaded, "wicked"},
      {"Memlock", "", memlock("daemon"), bare},
      {"MemlockMember", memlock("root2"), memlock("daemon"), bare},
      {"MemlockGone", memlock("daemon"), "version: 1\n", bare},
      {"Initrd", "", options(512, "rdma: {netns: exclusive}\n"), image},
      {"InitrdChanged", options(512, "rdma: {netns: exclusive}\n"), options(256, ""), image},
      {"InitrdGone", options(512, ""), "version: 1\n", image},
      {"NfsServer", "", server("run: true"), exports},
      {"NfsListener", "", server(""), serving},
      {"NfsPortChanged", server("run: true"), server("run: true, rdma_port: 20050"), exports, "", true},
      {"NfsGone", server("run: true"), "version: 1\n", exports, "", true},
      {"NfsStopped", "", server("run: false"), serving, "", true},
      {"NfsExports", "", server("threads: 16, exports: [" + projects + "]"), serving},
      {"NfsExportsStarted", "", server("run: true, threads: 16, exports: [" + projects + "]"), exports},
      {"NfsExportsChanged", server("threads: 16, exports: [" + projects + "]"),
       server("threads: 4, exports: [" + other_path + "]"), serving, "", true},
      {"NfsExportsGone", server("threads: 16, exports: [" + projects + "]"), server(""), serving, "", true},
      {"NfsFirewall", "", server("firewall: {zone: internal, roce: true}"), walled},
      {"NfsFirewallPortChanged", server("firewall: {zone: internal}"),
       server("rdma_port: 20050, firewall: {zone: public}"), walled, "", true},
      {"NfsFirewallGone", server("firewall: {zone: internal}"), server(""), walled},
      {"NfsFirewallStopped", "", server("firewall: {zone: internal}"), stopped_wall},
      {"NfsFirewallStoppedGone", server("firewall: {zone: internal}"), server(""), stopped_wall},
      {"NfsMounts", "", mounts("hard", true), exports},
      {"NfsMountChanged", mounts("hard", false), mounts("soft", false), exports, "", true},
      {"NfsMountGone", mounts("hard", false), "version: 1\n", exports, "", true},
      {"OthersChildRemoved", "", head + port + "  - {parent: mlx4_ib0, pkey: 0x8002, absent: true}\n", busy},
  };
}

inline HostModel managed_model(const RichCase& one) {
  HostModel model = one.host.model();
  model.networkd = one.manager == "networkd" || one.manager == "netplan";
  if (one.manager == "netplan") put(model, std::string(netplan_program_path), "");
  if (one.manager == "networkmanager") model.networkmanager.emplace();
  return model;
}

inline PlanOptions options_of(const RichCase& one) {
  PlanOptions options;
  if (one.restarts) options.max_disruption = Disruption::service;
  return options;
}

inline RecordedHost rich_host(const RichCase& one) {
  RecordedHost host(managed_model(one));
  if (one.before.empty()) return host;
  const Outcome outcome = apply_spec(host, one.before);
  EXPECT_EQ(outcome.code, ExitCode::done) << outcome.message;
  return host;
}

inline std::string calls_of(const RecordedHost& host, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < host.calls().size(); ++i)
    text += fmt::format("  {:3} {}\n", i - from + 1, host.calls()[i]);
  return text;
}

}  // namespace rdmastate
