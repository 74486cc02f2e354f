// SPDX-License-Identifier: Apache-2.0
// Ports, subnet managers, partitions and IPoIB interfaces that are ill.
#include "patients.hpp"

namespace rdmastate::doctor {
namespace {

void is_down(RdmaPort& port, std::uint32_t phys_state) {
  port.state = 1;
  port.phys_state = phys_state;
  port.lid = port.sm_lid = 0;
}

// The first port of the host, as the examples have it.
void work(HostModel& model) {
  port(model).state = 4;
  port(model).phys_state = 5;
  port(model).lid = 5;
  port(model).sm_lid = 1;
}

// The interface is up and could join.
void is_up(HostModel& model, const std::string& name, bool carrier) {
  link(model, name).up = true;
  link(model, name).carrier = carrier;
}

// A profile of rdmastate asks for this MTU, and the interface has joined a group of 2048.
void ask_for_mtu(HostModel& model, const std::string& mode, const std::string& mtu) {
  is_up(model, "ibp65s0", true);
  link(model, "ibp65s0").mtu = 2044;
  put(model, "/etc/NetworkManager/system-connections/rdmastate-ibp65s0.nmconnection",
      "# Managed by rdmastate\n[connection]\nid=ibp65s0\ntype=infiniband\ninterface-name=ibp65s0\n\n[infiniband]\n"
      "transport-mode=" +
          mode + "\nmtu=" + mtu + "\n");
}

}  // namespace

std::vector<Illness> fabric_illnesses() {
  return {
      {"port-down", "storage", "mlx5_0/1", Severity::error, [](HostModel& model) { is_down(port(model), 2); }, "cable",
       work},
      {"port-down", "head", "mlx5_1/1", Severity::info, [](HostModel& model) { is_down(port(model, 1), 2); }},
      {"port-down", "compute", "mlx5_8/1", Severity::error, [](HostModel& model) { is_down(port(model, 8), 2); }},
      {"port-disabled", "vm", "mlx5_0/1", Severity::error, [](HostModel& model) { is_down(port(model), 3); }, "GUIDs",
       work},
      {"port-disabled", "minimal", "mlx4_1/2", Severity::info, [](HostModel& model) { is_down(port(model, 1, 1), 3); },
       "network interface is down"},
      {"no-subnet-manager", "storage", "mlx5_0/1", Severity::error,
       [](HostModel& model) {
         port(model).state = 2;
         port(model).lid = port(model).sm_lid = 0;
       },
       "subnet_manager: {run: true, instances: [{port_guid: \"e8eb:d303:0011:0010\"}]}", work},
      {"no-subnet-manager", "storage", "mlx5_0/1", Severity::error,
       [](HostModel& model) {
         port(model).state = 2;
         port(model).lid = 0xffff;  // permissive: the port has none
       },
       "no subnet manager has made", work},
      {"port-not-active", "storage", "mlx5_0/1", Severity::error, [](HostModel& model) { port(model).state = 3; },
       "sweep", work},
      {"subnet-manager-lost", "storage", "mlx5_0/1", Severity::warning,
       [](HostModel& model) { port(model).sm_lid = 0; }, "instances: [{port_guid:", work},
      {"pkey-missing", "storage", "ibp65s0", Severity::error,
       [](HostModel& model) {
         is_up(model, "ibp65s0", false);
         port(model).pkeys = {0x8002};
       },
       "P_Key 0xffff is not in",
       [](HostModel& model) {
         is_up(model, "ibp65s0", true);
         port(model).pkeys.push_back(0xffff);
       }},
      {"pkey-limited", "storage", "ibp65s0", Severity::info,
       [](HostModel& model) {
         is_up(model, "ibp65s0", true);
         port(model).pkeys = {0x7fff};
       },
       "full members only", [](HostModel& model) { port(model).pkeys.push_back(0xffff); }},
      {"ipoib-no-carrier", "storage", "ibp65s0", Severity::error,
       [](HostModel& model) { is_up(model, "ibp65s0", false); }, "subnet_manager.default_mtu: 2048",
       [](HostModel& model) { is_up(model, "ibp65s0", true); }},
      {"ipoib-no-carrier", "storage", "ibp65s0", Severity::error,
       [](HostModel& model) {
         is_up(model, "ibp65s0", false);
         link(model, "ibp65s0").ipoib->pkey.value = 0x8002;
       },
       "pkey: 0x8002, ipoib: true, rate: 10, mtu: 2048"},
      {"ipoib-mtu-clamped", "storage", "ibp65s0", Severity::warning,
       [](HostModel& model) { ask_for_mtu(model, "datagram", "4092"); }, "subnet_manager.default_mtu: 4096",
       [](HostModel& model) { link(model, "ibp65s0").mtu = 4092; }},
      {"ipoib-mtu-clamped", "storage", "ibp65s0", Severity::warning,
       [](HostModel& model) {
         ask_for_mtu(model, "datagram", "4092");
         link(model, "ibp65s0").ipoib->pkey.value = 0x8002;
       },
       "pkey: 0x8002, ipoib: true, mtu: 4096, members: {\"e8eb:d303:0011:0010\": full}"},
      {"ipoib-mtu-clamped", "storage", "ibp65s0", Severity::warning,
       [](HostModel& model) {
         ask_for_mtu(model, "connected", "65520");
         link(model, "ibp65s0").address[0] = '\x80';  // its driver can
       },
       "mode: connected"},
      {"connected-refused", "storage", "ibp65s0", Severity::warning,
       [](HostModel& model) { ask_for_mtu(model, "connected", "2044"); }, "ipoib.mode: datagram",
       [](HostModel& model) { ask_for_mtu(model, "datagram", "2044"); }},
      {"connected-refused", "storage", "ibp65s0", Severity::warning,
       [](HostModel& model) { ask_for_mtu(model, "connected", "65520"); }, "asks for connected mode"},
      {"port-limited", "storage", "mlx5_0/1", Severity::info,
       [](HostModel& model) {
         port(model).pkeys = {0x7fff, 0x0002};
       },
       "a limited member of all", [](HostModel& model) { port(model).pkeys.push_back(0xffff); }},
  };
}

// What is there and is right: none of it is told.
std::vector<Illness> fabric_healths() {
  return {
      {"", "storage", "", Severity::info, [](HostModel& model) { ask_for_mtu(model, "datagram", "2044"); }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {
         ask_for_mtu(model, "datagram", "4092");
         is_up(model, "ibp65s0", true);
         link(model, "ibp65s0").mtu = 4092;
       }},
      {"", "storage", "", Severity::info,
       [](HostModel& model) {
         ask_for_mtu(model, "connected", "65520");
         link(model, "ibp65s0").address[0] = '\x80';  // its driver can
         link(model, "ibp65s0").ipoib->mode = IpoibMode::connected;
       }},
  };
}

}  // namespace rdmastate::doctor
