// SPDX-License-Identifier: Apache-2.0
// The MTU, RoCE and QoS settings of a device's ports: what the section checks, and what it wants: resources of the
// kinds port_mtu, roce_port and qos_port, and the module rdma_cm.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "resources/module.hpp"
#include "resources/port_mtu.hpp"
#include "resources/qos_port/classes.hpp"
#include "resources/roce_port.hpp"
#include "sections/boot_file.hpp"
#include "sections/devices/devices.hpp"

namespace rdmastate {
namespace {

std::string path_of(std::size_t index, PortNumber port, const std::string& field) {
  return devices_path(index, "ports." + std::to_string(port.value) + "." + field);
}

bool says_something(const RoceSettings& roce) { return roce.default_mode || roce.tos; }

// Adds the port's RoCE values. `port_resource` comes without kind and state, which this function sets; so does
// add_qos().
void add_roce(const Spec& spec, const RoceSettings& roce, Wanted port_resource, Desired& desired) {
  if (!says_something(roce)) return;
  const PortId id = port_id_from(port_resource.key);
  add_module(spec, roce_module, port_resource.path, desired);
  port_resource.kind = &roce_port_kind;
  port_resource.state = State(roce_port_kind, RocePortState{id.device, id.port, roce.default_mode, roce.tos});
  desired.add(std::move(port_resource));
}

void add_mtu(std::uint32_t mtu, Wanted port_resource, Desired& desired) {
  const PortId id = port_id_from(port_resource.key);
  port_resource.kind = &port_mtu_kind;
  port_resource.state = State(port_mtu_kind, PortMtuState{id.device, id.port, mtu});
  desired.add(std::move(port_resource));
}

bool says_something(const QosSettings& qos) {
  return qos.trust || qos.pfc || !qos.dscp.empty() || !qos.priorities.empty() || !qos.classes.empty() ||
         !qos.priority_buffers.empty() || !qos.buffers.empty();
}

void add_qos(const QosSettings& qos, Wanted port_resource, Desired& desired) {
  if (!says_something(qos)) return;
  const PortId id = port_id_from(port_resource.key);
  port_resource.kind = &qos_port_kind;
  QosPortState wanted{id.device, id.port, qos.trust, qos.pfc, std::nullopt};
  const auto take = [](const auto& given, auto& to) {
    if (!given.empty()) to = given;
  };
  take(qos.dscp, wanted.dscp);
  take(qos.priorities, wanted.priorities);
  take(qos.classes, wanted.classes);
  take(qos.priority_buffers, wanted.priority_buffers);
  take(qos.buffers, wanted.buffers);
  port_resource.state = State(qos_port_kind, std::move(wanted));
  desired.add(std::move(port_resource));
}

// Drivers refuse other sums (mlx5, mlx5e_dbcnl_validate_ets), and cannot tell a 0% beside a 100% (Shares).
void check_classes(const QosSettings& qos, const std::string& path, Report& report) {
  const Shares shares = shares_of(qos.classes);
  if (!shares.is_whole())
    complain(report, path + ".classes",
             fmt::format("the percentages are {}% together, and have to be 100%", shares.sum),
             "give each class that shares the bandwidth its part");
  else if (shares.has_zero_beside_all)
    complain(report, path + ".classes",
             "a class has 0% beside one with 100%, which drivers show as 100% of both or refuse",
             "say strict instead of 100%, or give the other at least 1%");
}

void check_buffers(const QosSettings& qos, const std::string& path, Report& report) {
  for (const auto& [priority, number] : qos.priority_buffers) {
    const auto size = qos.buffers.find(number);
    if (size == qos.buffers.end() || size->second.bytes != 0) continue;
    complain(
        report, fmt::format("{}.priority_buffers.{}", path, priority.value),
        fmt::format("buffer {} has no size, so nothing of priority {} would be received", number.value, priority.value),
        "give it a size in buffers, or the priority another one");
  }
}

void check_qos(const QosSettings& qos, const std::string& path, Report& report) {
  if (qos.trust == QosTrust::pcp && !qos.dscp.empty())
    complain(report, path + ".trust", "drivers trust DSCP while one has a priority, and dscp gives one",
             "take dscp out, or say trust: dscp");
  check_classes(qos, path, report);
  check_buffers(qos, path, report);
  std::set<Priority> seen;
  for (std::size_t i = 0; qos.pfc && i < qos.pfc->size(); ++i)
    if (!seen.insert((*qos.pfc)[i]).second)
      complain(report, path + ".pfc[" + std::to_string(i) + "]",
               "priority " + to_text((*qos.pfc)[i]) + " stands here twice", "name each priority once");
}

void check_mtu(std::uint32_t mtu, const std::string& path, Report& report) {
  constexpr std::uint32_t of_ipv6 = 1280;  // IPV6_MIN_MTU
  constexpr std::uint32_t most = 65535;    // ETH_MAX_MTU
  if (mtu < of_ipv6)
    complain(report, path, fmt::format("with an MTU below {} the kernel takes IPv6 off the interface", of_ipv6),
             "1500 is Ethernet's own; RoCE's largest MTU needs 4192 or more");
  if (mtu > most) complain(report, path, fmt::format("{} is above {}, the largest that Ethernet has", mtu, most));
}

}  // namespace

void add_module(const Spec& spec, std::string_view module, std::string path, Desired& desired) {
  const std::string name(module);
  const bool is_wanted = std::any_of(desired.wanted.begin(), desired.wanted.end(),
                                     [&](const Wanted& one) { return one.kind == &module_kind && one.key == name; });
  if (is_wanted || loads(spec, name)) return;
  desired.add({&module_kind,
               name,
               State(module_kind, ModuleState{{name}}),
               std::move(path),
               /*awaited_from=*/"",
               {boot_twin()}});
}

void check_ports(const DeviceRecord& record, std::size_t index, Report& report) {
  for (const auto& [number, port] : record.ports) {
    if (port.mtu) check_mtu(*port.mtu, path_of(index, number, "mtu"), report);
    if (port.qos) check_qos(*port.qos, path_of(index, number, "qos"), report);
  }
}

bool needs_netdevs(const DeviceRecord& record) {
  return std::any_of(record.ports.begin(), record.ports.end(), [](const auto& port) {
    return port.second.mtu || (port.second.qos && says_something(*port.second.qos));
  });
}

bool needs_rdma_cm(const DeviceRecord& record) {
  return std::any_of(record.ports.begin(), record.ports.end(),
                     [](const auto& port) { return port.second.roce && says_something(*port.second.roce); });
}

void add_ports(const Spec& spec, std::size_t index, const DeviceId& id, Desired& desired) {
  const DeviceRecord& record = spec.devices[index];
  for (const auto& [number, port] : record.ports) {
    Wanted of_port{/*kind=*/nullptr,       device_port_key(id, number),
                   /*state=*/std::nullopt, path_of(index, number, "roce"),
                   /*awaited_from=*/"",    {boot_twin()}};
    of_port.optional = record.is_optional();
    if (port.roce) add_roce(spec, *port.roce, of_port, desired);
    of_port.path = path_of(index, number, "mtu");
    if (port.mtu) add_mtu(*port.mtu, of_port, desired);
    of_port.path = path_of(index, number, "qos");
    if (port.qos) add_qos(*port.qos, of_port, desired);
  }
}

}  // namespace rdmastate
