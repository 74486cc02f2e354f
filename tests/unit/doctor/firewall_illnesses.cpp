// SPDX-License-Identifier: Apache-2.0
// Firewalls that close the port of software RoCE: firewalld's zones, and nftables' file.
#include <fmt/format.h>

#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

// storage.json with software RoCE on eno1.
void soften(HostModel& model) {
  RdmaDevice rxe;
  rxe.name = "rxe0";
  rxe.node_guid.value = 0x0211223344556677;
  rxe.ports.resize(1);
  rxe.ports[0].link_layer = LinkLayer::ethernet;
  rxe.ports[0].state = 4;
  rxe.ports[0].phys_state = 5;
  model.devices.push_back(rxe);
  model.soft["rxe0"] = {SoftType::rxe, "eno1", "rxe0"};
  link(model, "eno1").mtu = 4200;
}

// The same, and nftables.service has loaded this file.
void filter(HostModel& model, const std::string& rules, const std::string& path = "/etc/nftables.conf") {
  soften(model);
  run(model, "nftables.service");
  put(model, path, rules);
}

const std::string closed_chain =
    "flush ruleset\ntable inet filter {\n  chain input {\n    type filter hook input priority 0; policy drop;\n"
    "    tcp dport 22 accept\n    include \"/etc/nftables.d/*.nft\"\n  }\n}\n";

// The same, and firewalld, whose zone public is this.
void guard(HostModel& model, const std::string& zone) {
  soften(model);
  run(model, "firewalld.service");
  put(model, "/etc/firewalld/firewalld.conf", "# comment\nDefaultZone=public\n");
  put(model, "/usr/lib/firewalld/zones/public.xml", zone);
  put(model, "/usr/lib/firewalld/services/rdma-soft.xml",
      "<service>\n  <port protocol=\"udp\" port=\"4700-4800\"/>\n</service>\n");
}

constexpr const char* closed_zone =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<zone>\n  <service name=\"ssh\"/>\n  <port port=\"4791\" "
    "protocol=\"tcp\"/>\n</zone>\n";

}  // namespace

std::vector<Illness> firewall_illnesses() {
  return {
      {"roce-port-closed", "storage", "rxe0", Severity::warning, [](HostModel& model) { guard(model, closed_zone); },
       "--zone=public --add-port=4791/udp",
       [](HostModel& model) {
         put(model, "/usr/lib/firewalld/zones/public.xml", "<zone>\n  <port port='4791' protocol='udp'/>\n</zone>\n");
       }},
      {"roce-port-closed", "storage", "rxe0", Severity::warning,
       [](HostModel& model) {
         guard(model, "<zone target=\"ACCEPT\"/>\n");
         put(model, "/srv/public.xml", closed_zone);
         model.files["/etc/firewalld/zones/public.xml"] = {{FileType::symlink, 0777, 0, 0}, "/srv/public.xml", {}};
         add_parents(model.files);
       },
       "--zone=public --add-port=4791/udp"},
      {"roce-port-closed", "storage", "rxe0", Severity::warning,
       [](HostModel& model) {
         guard(model, "<zone target=\"ACCEPT\"/>\n");
         put(model, "/etc/firewalld/zones/lab.xml", "<zone>\n  <interface name=\"eno1\"/>\n</zone>\n");
         put(model, "/etc/firewalld/zones/home.xml.old", "<zone>\n  <interface name=\"eno1\"/>\n</zone>\n");
       },
       "the zone lab of firewalld"},
      {"roce-port-closed", "storage", "rxe0", Severity::warning,
       [](HostModel& model) {
         guard(model,
               "<zone>\n  <!-- <port port=\"4791\" protocol=\"udp\"/> -->\n  <rule family=\"ipv4\">\n"
               "    <port port=\"4791\" protocol=\"udp\"/>\n    <reject/>\n  </rule>\n</zone>\n");
       },
       "--zone=public --add-port=4791/udp"},
      {"roce-port-closed", "storage", "rxe0", Severity::warning, [](HostModel& model) { filter(model, closed_chain); },
       "`nft insert rule inet filter input udp dport 4791 accept`",
       [](HostModel& model) { put(model, "/etc/nftables.d/roce.nft", "udp dport 4791 accept\n"); }},
      {"roce-port-closed", "storage", "rxe0", Severity::warning,
       [](HostModel& model) {
         put(model, "/etc/nftables.conf", "# of another distribution\n");
         put(model, "/etc/nftables/main.nft", closed_chain);
         filter(model, "include \"nftables/main.nft\"\n", "/etc/sysconfig/nftables.conf");
       },
       "chain of /etc/sysconfig/nftables.conf"},
  };
}

// What is there and is right: none of it is told.
std::vector<Illness> firewall_healths() {
  return {
      {"", "storage", "", Severity::info,
       [](HostModel& model) {  // nobody has loaded the file
         filter(model, closed_chain);
         model.systemd->units.erase("nftables.service");
       }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {  // what is not there may open the port
         put(model, "/etc/nftables.d/there.nft", "# empty\n");
         filter(model, closed_chain + "include \"/etc/nftables.d/more.nft\"\ninclude \"/etc/nftables.d/there.nft\"\n");
       }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {  // files that include each other come to an end
         const std::string all = "include \"/etc/nftables.d/*.nft\"\n";
         for (int i = 0; i < 9; ++i) put(model, fmt::format("/etc/nftables.d/{}.nft", i), all + all + all);
         filter(model, closed_chain);
       }},
      {"", "storage", "", Severity::info, [](HostModel& model) { guard(model, "<zone target=\"ACCEPT\"/>\n"); }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) { guard(model, "<zone>\n  <port port='4791' protocol='udp'/>\n</zone>\n"); }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) { guard(model, "<zone>\n  <service name=\"rdma-soft\"/>\n</zone>\n"); }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) { guard(model, "<zone>\n  <protocol value=\"udp\"/>\n</zone>\n"); }},
  };
}

}  // namespace rdmastate::doctor
